import type { Importer } from '../importer.ts';
import { dialectScore } from '../message-dialect.ts';
import { readMessageSource } from '../message-source.ts';

/** Message arrays, requests, answers and streamed events of this API. */
export const anthropicMessages: Importer = {
  id: 'anthropic-messages',
  title: 'Anthropic messages',
  evidence: 'logged',
  revision: 8,
  sniff: (head) => dialectScore(head, 'anthropic'),
  read: (input) => readMessageSource(input, null),
};
