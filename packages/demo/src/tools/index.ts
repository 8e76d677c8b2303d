import type { Tool } from '../tool.ts';
import { cancelOrder } from './cancel-order.ts';
import { checkStock } from './check-stock.ts';
import { getOrder } from './get-order.ts';
import { listCustomers } from './list-customers.ts';
import { searchOrders } from './search-orders.ts';
import { seasonForecast } from './season-forecast.ts';

export const TOOLS: readonly Tool[] = [
  searchOrders,
  getOrder,
  listCustomers,
  checkStock,
  seasonForecast,
  cancelOrder,
];
