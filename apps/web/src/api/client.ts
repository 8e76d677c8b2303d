import { createClient } from '@misstep/contract';

/** Calls the page's own server; the cookie that came with the page opens it. */
export const api = createClient({ baseUrl: '' });
