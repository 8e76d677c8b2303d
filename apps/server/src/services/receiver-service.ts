import { createHash, timingSafeEqual } from 'node:crypto';
import type { ReceiverState } from '@misstep/contract';
import { surveySpans } from '@misstep/importers';
import {
  encodeSpanJournalRecord,
  MisstepError,
  type RunId,
  type SpanJournalRecord,
} from '@misstep/model';
import type { Store } from '@misstep/store';
import { z } from 'zod';
import { RECEIVER_PATH, RECEIVER_TOKEN_HEADER } from '../security/receiver-address.ts';
import { makeToken } from '../security/token.ts';
import type { ImportService } from './import-service.ts';
import { SpanJournals } from './receiver/span-journals.ts';

const TOKEN_SETTING = 'receiver.token';
const PORT_SETTING = 'receiver.port';
const MOST_GROWN_RUNS = 50;

/** The token itself is kept nowhere. */
const StoredTokenSchema = z.object({ sha256: z.string(), madeAt: z.string() });
type StoredToken = z.infer<typeof StoredTokenSchema>;

export interface ReceivedSpans {
  readonly spans: number;
  /** Spans that no trace can be told of; no run shows them. */
  readonly rejectedSpans: number;
}

export interface ReceiverService {
  /** Takes up what an earlier process left; `port` is where this one listens. */
  start(port: number): Promise<void>;
  state(): Promise<ReceiverState>;
  isToken(given: string): Promise<boolean>;
  makeToken(): Promise<{ token: string; environment: string[] }>;
  removeToken(): Promise<void>;
  /** Keeps an OTLP trace request; on the disk when it resolves. REQUEST_INVALID where it is none. */
  receive(body: Omit<SpanJournalRecord, 'wallNs'>): Promise<ReceivedSpans>;
  /** Reads everything that came so far. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

export function createReceiverService(
  store: Store,
  imports: ImportService,
  defaultPort: number,
): ReceiverService {
  const counts = { requests: 0, spans: 0, rejectedSpans: 0, savedCount: 0 };
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

  async function endpoint(): Promise<string> {
    const known = ownPort ?? (Number(await store.getSetting(PORT_SETTING)) || defaultPort);
    return `http://127.0.0.1:${known}${RECEIVER_PATH}`;
  }

  return {
    async start(port) {
      ownPort = port;
      await store.setSetting(PORT_SETTING, String(port));
      await journals.start();
    },
    async state() {
      const tokenMadeAt = (await storedToken())?.madeAt ?? null;
      return { endpoint: await endpoint(), tokenMadeAt, ...counts, lastReceivedAt, grownRunIds };
    },
    async isToken(given) {
      const stored = await storedToken();
      if (stored === null) return false;
      return timingSafeEqual(hashOf(given), Buffer.from(stored.sha256, 'hex'));
    },
    async makeToken() {
      const token = makeToken();
      const sha256 = hashOf(token).toString('hex');
      const madeAt = new Date().toISOString();
      await store.setSetting(TOKEN_SETTING, JSON.stringify({ sha256, madeAt }));
      return {
        token,
        environment: [
          `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=${await endpoint()}`,
          `OTEL_EXPORTER_OTLP_TRACES_HEADERS=${RECEIVER_TOKEN_HEADER}=${token}`,
          'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL=http/protobuf',
        ],
      };
    },
    removeToken: () => store.setSetting(TOKEN_SETTING, ''),
    async receive(body) {
      const survey = surveySpans(body.encoding, body.body);
      if (!survey.ok) throw new MisstepError('REQUEST_INVALID', survey.error);
      const { traces, spansWithoutTrace: rejectedSpans } = survey.value;
      const wallNs = BigInt(Date.now()) * 1_000_000n;
      if (traces.size > 0) {
        await journals.append(traces.keys(), encodeSpanJournalRecord({ ...body, wallNs }));
      }
      const spans = [...traces.values()].reduce((sum, count) => sum + count, 0);
      counts.requests += 1;
      counts.spans += spans;
      counts.rejectedSpans += rejectedSpans;
      lastReceivedAt = new Date().toISOString();
      return { spans, rejectedSpans };
    },
    settle: () => journals.settle(),
    close: () => journals.close(),
  };
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
