import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** 0 = stored, 8 = deflate; any other needs `packed`. */
  readonly method?: number;
  readonly packed?: Uint8Array;
  readonly flags?: number;
  readonly statedBytes?: number;
}

/** A ZIP file, written by hand so that it can be wrong where a test wants it. */
export function zipOf(files: readonly ZipFile[], options: { zip64?: boolean } = {}): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { name, bytes, method = 8, flags = 0x800, packed, statedBytes } of files) {
    const data = Buffer.from(packed ?? (method === 8 ? deflateRawSync(bytes) : bytes));
    const nameBytes = Buffer.from(name);
    const size = statedBytes ?? bytes.length;
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(flags, 6);
    local.writeUInt16LE(method, 8);
    local.writeUInt32LE(crc32(bytes), 14);
    local.writeUInt32LE(data.length, 18);
    local.writeUInt32LE(size, 22);
    local.writeUInt16LE(nameBytes.length, 26);
    bodies.push(local, nameBytes, data);
    const extra = options.zip64 === true ? zip64Extra(size, data.length, at) : Buffer.alloc(0);
    const central = Buffer.alloc(46);
    central.writeUInt32LE(0x02014b50, 0);
    central.writeUInt16LE(flags, 8);
    central.writeUInt16LE(method, 10);
    central.writeUInt32LE(crc32(bytes), 16);
    central.writeUInt32LE(extra.length > 0 ? 0xffffffff : data.length, 20);
    central.writeUInt32LE(extra.length > 0 ? 0xffffffff : size, 24);
    central.writeUInt16LE(nameBytes.length, 28);
    central.writeUInt16LE(extra.length, 30);
    central.writeUInt32LE(extra.length > 0 ? 0xffffffff : at, 42);
    directory.push(central, nameBytes, extra);
    at += 30 + nameBytes.length + data.length;
  }
  const central = Buffer.concat(directory);
  return Buffer.concat([...bodies, central, endOf(files.length, central.length, at, options)]);
}

function zip64Extra(size: number, compressed: number, at: number): Buffer {
  const extra = Buffer.alloc(28);
  extra.writeUInt16LE(1, 0);
  extra.writeUInt16LE(24, 2);
  extra.writeBigUInt64LE(BigInt(size), 4);
  extra.writeBigUInt64LE(BigInt(compressed), 12);
  extra.writeBigUInt64LE(BigInt(at), 20);
  return extra;
}

function endOf(
  count: number,
  length: number,
  offset: number,
  options: { zip64?: boolean },
): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  if (options.zip64 !== true) {
    end.writeUInt16LE(count, 8);
    end.writeUInt16LE(count, 10);
    end.writeUInt32LE(length, 12);
    end.writeUInt32LE(offset, 16);
    return end;
  }
  end.fill(0xff, 8, 20);
  const end64 = Buffer.alloc(56);
  end64.writeUInt32LE(0x06064b50, 0);
  end64.writeBigUInt64LE(44n, 4);
  end64.writeBigUInt64LE(BigInt(count), 24);
  end64.writeBigUInt64LE(BigInt(count), 32);
  end64.writeBigUInt64LE(BigInt(length), 40);
  end64.writeBigUInt64LE(BigInt(offset), 48);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeBigUInt64LE(BigInt(offset + length), 8);
  locator.writeUInt32LE(1, 16);
  return Buffer.concat([end64, locator, end]);
}
