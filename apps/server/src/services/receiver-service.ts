import { createHash, timingSafeEqual } from 'node:crypto';
import type { ReceiverState } from '@misstep/contract';
import { surveyLogs, surveySpans } from '@misstep/importers';
import {
  encodeSpanJournalRecord,
  MisstepError,
  type RunId,
  type SpanJournalRecord,
} from '@misstep/model';
import type { Store } from '@misstep/store';
import { z } from 'zod';
import { RECEIVER_PATHS, RECEIVER_TOKEN_HEADER } from '../security/receiver-address.ts';
import { makeToken } from '../security/token.ts';
import type { ImportService } from './import-service.ts';
import { SpanJournals } from './receiver/span-journals.ts';

const TOKEN_SETTING = 'receiver.token';
const PORT_SETTING = 'receiver.port';
const MOST_GROWN_RUNS = 50;

/** The token itself is kept nowhere. */
const StoredTokenSchema = z.object({ sha256: z.string(), madeAt: z.string() });
type StoredToken = z.infer<typeof StoredTokenSchema>;

export type Signal = 'spans' | 'logs';

/** A body as it came, unpacked. */
export interface ReceivedBody {
  readonly signal: Signal;
  readonly encoding: 'json' | 'protobuf';
  readonly compression: SpanJournalRecord['compression'];
  readonly body: Uint8Array;
}

export interface Received {
  readonly kept: number;
  /** Spans that no trace can be told of, log records that say nothing of one: no run shows them. */
  readonly rejected: number;
}

export interface ReceiverService {
  /** Takes up what an earlier process left; `port` is where this one listens. */
  start(port: number): Promise<void>;
  state(): Promise<ReceiverState>;
  isToken(given: string): Promise<boolean>;
  /** `more`: what else than spans the environment sends here. */
  makeToken(more?: readonly 'logs'[]): Promise<{ token: string; environment: string[] }>;
  removeToken(): Promise<void>;
  /** Keeps an OTLP request; on the disk when it resolves. REQUEST_INVALID where it is none. */
  receive(body: ReceivedBody): Promise<Received>;
  /** Reads everything that came so far. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

export function createReceiverService(
  store: Store,
  imports: ImportService,
  defaultPort: number,
): ReceiverService {
  const counts = {
    requests: 0,
    spans: 0,
    rejectedSpans: 0,
    logRecords: 0,
    rejectedLogRecords: 0,
    savedCount: 0,
  };
  let lastReceivedAt: string | null = null;
  let grownRunIds: RunId[] = [];
  let ownPort: number | null = null;
  const journals = new SpanJournals(store, imports, (runIds) => {
    counts.savedCount += 1;
    grownRunIds = [...new Set([...runIds, ...grownRunIds])].slice(0, MOST_GROWN_RUNS);
  });

  async function storedToken(): Promise<StoredToken | null> {
    const text = await store.getSetting(TOKEN_SETTING);
    return text === null || text === '' ? null : StoredTokenSchema.parse(JSON.parse(text));
  }

  async function endpoint(signal: Signal = 'spans'): Promise<string> {
    const known = ownPort ?? (Number(await store.getSetting(PORT_SETTING)) || defaultPort);
    return `http://127.0.0.1:${known}${RECEIVER_PATHS[signal]}`;
  }

  return {
    async start(port) {
      ownPort = port;
      await store.setSetting(PORT_SETTING, String(port));
      await journals.start();
    },
    async state() {
      const tokenMadeAt = (await storedToken())?.madeAt ?? null;
      return {
        endpoint: await endpoint(),
        tokenMadeAt,
        environment: environmentOf('TRACES', await endpoint(), TOKEN_PLACEHOLDER),
        ...counts,
        lastReceivedAt,
        grownRunIds,
      };
    },
    async isToken(given) {
      const stored = await storedToken();
      if (stored === null) return false;
      return timingSafeEqual(hashOf(given), Buffer.from(stored.sha256, 'hex'));
    },
    async makeToken(more = []) {
      const token = makeToken();
      const sha256 = hashOf(token).toString('hex');
      const madeAt = new Date().toISOString();
      await store.setSetting(TOKEN_SETTING, JSON.stringify({ sha256, madeAt }));
      return {
        token,
        environment: [
          ...environmentOf('TRACES', await endpoint(), token),
          ...(more.includes('logs') ? environmentOf('LOGS', await endpoint('logs'), token) : []),
        ],
      };
    },
    removeToken: () => store.setSetting(TOKEN_SETTING, ''),
    async receive({ signal, encoding, compression, body }) {
      const { traces, rejected } = surveyOf({ signal, encoding, body });
      const wallNs = BigInt(Date.now()) * 1_000_000n;
      if (traces.size > 0) {
        const isLogs = signal === 'logs' && encoding === 'protobuf';
        const kind = isLogs ? 'protobuf-logs' : encoding;
        const record = encodeSpanJournalRecord({ encoding: kind, compression, body, wallNs });
        await journals.append(traces.keys(), record);
      }
      const kept = [...traces.values()].reduce((sum, count) => sum + count, 0);
      counts.requests += 1;
      if (signal === 'spans') {
        counts.spans += kept;
        counts.rejectedSpans += rejected;
      } else {
        counts.logRecords += kept;
        counts.rejectedLogRecords += rejected;
      }
      lastReceivedAt = new Date().toISOString();
      return { kept, rejected };
    },
    settle: () => journals.settle(),
    close: () => journals.close(),
  };
}

/** Stands where a token goes that nobody can be shown again. */
const TOKEN_PLACEHOLDER = 'YOUR_TOKEN';

/** OpenTelemetry's own variables for one signal. */
function environmentOf(signal: 'TRACES' | 'LOGS', endpoint: string, token: string): string[] {
  return [
    `OTEL_EXPORTER_OTLP_${signal}_ENDPOINT=${endpoint}`,
    `OTEL_EXPORTER_OTLP_${signal}_HEADERS=${RECEIVER_TOKEN_HEADER}=${token}`,
    `OTEL_EXPORTER_OTLP_${signal}_PROTOCOL=http/protobuf`,
  ];
}

/** Throws REQUEST_INVALID where the body is no such request. */
function surveyOf({ signal, encoding, body }: Omit<ReceivedBody, 'compression'>): {
  readonly traces: ReadonlyMap<string, number>;
  readonly rejected: number;
} {
  if (signal === 'spans') {
    const survey = surveySpans(encoding, body);
    if (!survey.ok) throw new MisstepError('REQUEST_INVALID', survey.error);
    return { traces: survey.value.traces, rejected: survey.value.spansWithoutTrace };
  }
  const survey = surveyLogs(encoding, body);
  if (!survey.ok) throw new MisstepError('REQUEST_INVALID', survey.error);
  return { traces: survey.value.traces, rejected: survey.value.otherRecords };
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
