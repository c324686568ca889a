import { crc32 as crc, deflateRawSync } from 'node:zlib'

type ZipFile = { name: string; bytes: Uint8Array; mode?: number }

/** Files of a zip, from texts by path. */
export function zipFiles(texts: Readonly<Record<string, string>>): ZipFile[] {
  return Object.entries(texts).map(([name, text]) => ({ name, bytes: Buffer.from(text) }))
}

/** Compressed once, because many empty files would take as long as others. */
const NOTHING = deflateRawSync(new Uint8Array())

/** Makes a zip as small tools do, with any names and modes. */
export function packZip(files: readonly ZipFile[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, bytes, mode = 0o100644 } of files) {
    const path = Buffer.from(name)
    const packed = bytes.length === 0 ? NOTHING : deflateRawSync(bytes)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(0x0800, 2)
    common.writeUInt16LE(8, 4)
    common.writeUInt32LE(checksum(bytes), 10)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(bytes.length, 18)
    common.writeUInt16LE(path.length, 22)
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), common, path, packed])
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE((mode << 16) >>> 0, 6)
    tail.writeUInt32LE(offset, 10)
    const madeBy = Buffer.from([20, 3])
    directory.push(Buffer.concat([Buffer.from('PK\u0001\u0002'), madeBy, common, tail, path]))
    parts.push(local)
    offset += local.length
  }
  const central = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\u0005\u0006', 'latin1')
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, central, end])
}

// Node has crc32 since 20.15.
const checksum = (bytes: Uint8Array) => crc(bytes)
