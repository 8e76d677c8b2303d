import type { RunFrame } from '@misstep/model';
import type { Page, PageCodec, PagePool } from './page-pool.ts';
import { TextBytes } from './text-bytes.ts';

type PackedFrame = Omit<RunFrame, 'monotonicNs' | 'wallNs'> & {
  readonly monotonicNs: string | null;
  readonly wallNs: string | null;
};

export class FrameCodec implements PageCodec<RunFrame> {
  readonly #text = new TextBytes();

  pack(frames: readonly RunFrame[]): Uint8Array {
    const packed = frames.map(
      (frame): PackedFrame => ({
        ...frame,
        monotonicNs: frame.monotonicNs?.toString() ?? null,
        wallNs: frame.wallNs?.toString() ?? null,
      }),
    );
    return this.#text.encode(JSON.stringify(packed));
  }

  unpack(bytes: Uint8Array): RunFrame[] {
    // Written by `pack`.
    const packed = JSON.parse(this.#text.decode(bytes)) as PackedFrame[];
    return packed.map((frame) => ({
      ...frame,
      monotonicNs: frame.monotonicNs === null ? null : BigInt(frame.monotonicNs),
      wallNs: frame.wallNs === null ? null : BigInt(frame.wallNs),
    }));
  }
}

/** A frame that comes and goes with its page; nothing changes it. */
class PooledFrame implements RunFrame {
  readonly #page: Page<RunFrame>;
  readonly #slot: number;

  constructor(page: Page<RunFrame>, slot: number) {
    this.#page = page;
    this.#slot = slot;
  }

  get seq() {
    return this.whole.seq;
  }

  get kind() {
    return this.whole.kind;
  }

  get method() {
    return this.whole.method;
  }

  get idText() {
    return this.whole.idText;
  }

  get remark() {
    return this.whole.remark;
  }

  get direction() {
    return this.whole.direction;
  }

  get transport() {
    return this.whole.transport;
  }

  get monotonicNs() {
    return this.whole.monotonicNs;
  }

  get wallNs() {
    return this.whole.wallNs;
  }

  get origin() {
    return this.whole.origin;
  }

  get sizeBytes() {
    return this.whole.sizeBytes;
  }

  get stepId() {
    return this.whole.stepId;
  }

  get whole(): RunFrame {
    return this.#page.read(this.#slot);
  }
}

export function pooledFrame(pool: PagePool<RunFrame>, frame: RunFrame): RunFrame {
  const { page, slot } = pool.hold(frame);
  return new PooledFrame(page, slot);
}

/** The frame as plain data, wherever it stands. */
export function plainFrame(frame: RunFrame): RunFrame {
  return frame instanceof PooledFrame ? frame.whole : frame;
}
