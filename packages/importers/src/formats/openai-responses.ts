import type { Importer } from '../importer.ts';
import { dialectScore } from '../message-dialect.ts';
import { readMessageSource } from '../message-source.ts';

/** Message arrays, requests, answers and streamed events of this API. */
export const openAiResponses: Importer = {
  id: 'openai-responses',
  title: 'OpenAI Responses',
  evidence: 'logged',
  revision: 7,
  sniff: (head) => dialectScore(head, 'responses'),
  read: (input) => readMessageSource(input, null),
};
