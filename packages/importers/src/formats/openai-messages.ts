import type { Importer } from '../importer.ts';
import { dialectScore } from '../message-dialect.ts';
import { readMessageSource } from '../message-source.ts';

/** Message arrays, requests, answers and streamed events of this API. */
export const openAiMessages: Importer = {
  id: 'openai-messages',
  title: 'OpenAI chat messages',
  evidence: 'logged',
  revision: 7,
  sniff: (head) => dialectScore(head, 'chat'),
  read: (input) => readMessageSource(input, null),
};
