import { brotliCompressSync, gzipSync } from 'node:zlib'
import { packTar, type TarEntry } from 'modern-tar'
import { packZip } from '../pack-zip.ts'
import { smallBundle } from '../small-bundle.ts'
import { body, edited, type HostileBody, type Sent } from './hostile-body.ts'

const good = () => smallBundle()
const zip = (name: string, bytes: string | Buffer = '{}', mode = 0o100644) =>
  packZip([{ name, bytes: Buffer.from(bytes as string), mode }])
const many = (count: number) =>
  packZip(Array.from({ length: count }, (_, at) => ({ name: `f${at}`, bytes: Buffer.alloc(0) })))

async function tar(header: Partial<TarEntry['header']> & { name: string }): Promise<Buffer> {
  const content = header.size === 0 ? undefined : '{}'
  const whole = { size: 2, type: 'file' as const, ...header }
  return Buffer.from(await packTar([{ header: whole, body: content }]))
}

/** Overwrites bytes 100 to 140 of compressed data. */
function broken(bytes: Buffer): Buffer {
  bytes.fill(0xaa, 100, 140)
  return bytes
}

/** Gzip inside gzip, so that a kilobyte expands to a gigabyte. */
const nested = () => gzipSync(gzipSync(Buffer.alloc(8 << 20)))

const PICTURE = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')

/** Compressed bodies: bombs, paths out of the folder, links, false sizes. */
export const ARCHIVE_BODIES: readonly HostileBody[] = [
  body('a gzip that was cut off', () => gzipSync(good()).subarray(0, -40), 400, 'cut off'),
  body('a gzip of its head alone', () => gzipSync(good()).subarray(0, 10), 400, 'cut off'),
  body('a gzip with broken bytes', () => broken(gzipSync(good())), 400, 'damaged'),
  body('a gzip with another checksum', () => wrongChecksum(gzipSync(good())), 400, 'damaged'),
  body('a gzip bomb', () => gzipSync(Buffer.alloc(8 << 20, 0x20)), 413, '200 times its size'),
  body('a gzip around gzip', () => gzipSync(gzipSync(good())), 415, 'gzip inside gzip'),
  body('a gzip bomb in a gzip', nested, 415, 'gzip inside gzip'),
  body('a gzip around a picture', () => gzipSync(PICTURE), 415, 'its first bytes match none'),
  body('a gzip with a second one that is broken', secondBroken, 400, 'damaged'),
  body('a gzip with a second one that is a bomb', secondBomb, 413, '200 times its size'),
  body(
    'a gzip with a second document in a second one',
    () => Buffer.concat([gzipSync(good()), gzipSync(good())]),
    400,
    'something follows',
  ),
  body('a picture', () => PICTURE, 415, 'its first bytes match none'),
  body('a page', () => '<script>alert(1)</script>', 415, 'text that starts with "<"'),
  body('a zip that leaves its folder', () => zip('../../evil.json'), 400, 'relative path'),
  body('a zip that leaves its folder later', () => zip('a/../../evil.json'), 400, 'relative path'),
  body('a zip with an absolute path', () => zip('/etc/passwd'), 400, 'absolute path'),
  body('a zip with a Windows path', () => zip('..\\evil.json'), 400, 'invalid'),
  body('a zip with a drive', () => zip('C:\\evil.json'), 400, 'absolute path'),
  body('a zip with NUL in a name', () => zip('result.json\0.png'), 400, 'path'),
  body('a zip with a link', () => zip('result.json', '/etc/passwd', 0o120777), 400, 'is a link'),
  body('a zip with a device', () => zip('result.json', '', 0o020666), 400, 'is a link'),
  body(
    'a zip with a name twice',
    () =>
      packZip([
        { name: 'a.json', bytes: Buffer.from('1') },
        { name: 'A.JSON', bytes: Buffer.from('2') },
      ]),
    400,
    'is duplicated',
  ),
  body('a zip bomb', () => zip('result.json', Buffer.alloc(8 << 20)), 413, '200 times its size'),
  body('a zip that lies about a size', lyingZip, 400, 'the archive cannot be read'),
  body('a zip of too many files', () => many(50_002), 413, 'more than 50,000 files'),
  body(
    'a zip that was cut off',
    () => zip('result.json', good()).subarray(0, -30),
    400,
    'cannot be read',
  ),
  body(
    'a zip with a broken bundle',
    () => zip('result.json', good().slice(0, 500)),
    400,
    'result.json is not valid JSON',
  ),
  body('a zip with a deep bundle', () => zip('result.json', '['.repeat(1000)), 413, '64 levels'),
  body('a zip without results', () => zip('readme.md', 'hello'), 422, 'unsupported format'),
  body('an empty zip', () => packZip([]), 422, 'unsupported format'),
  body(
    'a zip with a wrong seal inside',
    () =>
      zip(
        'run/result.json',
        edited((b) => (b.episodes[0].category = 'x')),
      ),
    422,
    'changed after it was sealed',
  ),
  body(
    'a tar with a symbolic link',
    () => tar({ name: 'result.json', type: 'symlink', linkname: '/etc/passwd', size: 0 }),
    400,
    'is a link',
  ),
  body(
    'a tar with a hard link',
    () => tar({ name: 'result.json', type: 'link', linkname: 'plan.json', size: 0 }),
    400,
    'is a link',
  ),
  body(
    'a tar with a device',
    () => tar({ name: 'result.json', type: 'character-device', size: 0 }),
    400,
    'is not a file',
  ),
  body(
    'a tar that leaves its folder',
    () => tar({ name: '../result.json' }),
    400,
    'leaves the archive',
  ),
  body(
    'a tar with an absolute path',
    () => tar({ name: '/result.json' }),
    400,
    'leaves the archive',
  ),
  body(
    'a tar that was cut off',
    async () => (await tar({ name: 'result.json' })).subarray(0, 514),
    400,
    'the archive',
  ),
  body(
    'a tar.gz bomb',
    async () => {
      const zeros = new Uint8Array(8 << 20)
      const header = { name: 'result.json', size: zeros.length, type: 'file' as const }
      return gzipSync(await packTar([{ header, body: zeros }]))
    },
    413,
    '200 times its size',
  ),
]

function secondBroken(): Buffer {
  const second = gzipSync(good())
  return Buffer.concat([gzipSync(good()), broken(second)])
}

function secondBomb(): Buffer {
  return Buffer.concat([gzipSync(good()), gzipSync(Buffer.alloc(8 << 20, 0x20))])
}

function wrongChecksum(bytes: Buffer): Buffer {
  bytes.writeUInt32LE((bytes.readUInt32LE(bytes.length - 8) ^ 1) >>> 0, bytes.length - 8)
  return bytes
}

/** A zip whose directory declares a file of a kilobyte as ten bytes. */
function lyingZip(): Buffer {
  const bytes = zip('result.json', 'x'.repeat(1000))
  const central = bytes.lastIndexOf('PK\u0001\u0002')
  bytes.writeUInt32LE(10, central + 24)
  return bytes
}

const typed = (type: string, more: Record<string, string> = {}) => {
  return (): Sent => ({ body: good(), headers: { 'content-type': type, ...more } })
}
const HEAD =
  'POST /api/v1/results HTTP/1.1\r\nHost: HOST\r\nAuthorization: Bearer TOKEN\r\nContent-Type: application/json\r\nConnection: close\r\n'
const raw = (head: string, bytes: string) => (): Sent => ({
  body: '',
  raw: `${HEAD}${head}\r\n${bytes}`,
})

/** Valid results in a request with false headers. Over HTTP only: the core sees no headers. */
export const TRANSPORT_BODIES: readonly HostileBody[] = [
  body('said to be a picture', typed('image/png'), 415, 'its Content-Type is image/png'),
  body('said to be a zip', typed('application/zip'), 415, 'application/zip, but it is text'),
  body('said to be a form', typed('multipart/form-data; boundary=x'), 415, 'multipart/form-data'),
  body(
    'said to be a form of a page',
    typed('application/x-www-form-urlencoded'),
    415,
    'application/x-www-form-urlencoded',
  ),
  body(
    'a zip said to be JSON',
    () => ({
      body: packZip([{ name: 'result.json', bytes: Buffer.from(good()) }]),
      headers: { 'content-type': 'application/json' },
    }),
    415,
    'application/json, but it is zip',
  ),
  body(
    'said to be gzip',
    typed('application/json', { 'content-encoding': 'gzip' }),
    415,
    'Content-Encoding is gzip, but it is text',
  ),
  body(
    'packed with brotli',
    () => ({
      body: brotliCompressSync(good()),
      headers: { 'content-type': 'application/json', 'content-encoding': 'br' },
    }),
    415,
    'only gzip can be unpacked',
  ),
  body(
    'said to be packed twice',
    () => ({
      body: gzipSync(good()),
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip, gzip' },
    }),
    415,
    'only gzip can be unpacked',
  ),
  body(
    'said to be a gigabyte',
    raw('Content-Length: 1073741824\r\n', '{}'),
    413,
    'larger than 100 MB',
  ),
  body('said to be longer than it is', raw('Content-Length: 900000\r\n', good()), 400, ''),
  body('said to be shorter than it is', raw('Content-Length: 100\r\n', good()), 400, ''),
  body('of two lengths', raw('Content-Length: 10\r\nContent-Length: 20\r\n', good()), 400, ''),
  body(
    'in chunks and of a length',
    raw('Transfer-Encoding: chunked\r\nContent-Length: 5\r\n', '2\r\n{}\r\n0\r\n\r\n'),
    400,
    '',
  ),
  body(
    'in chunks that lie about their length',
    raw('Transfer-Encoding: chunked\r\n', `ffffff\r\n${good()}\r\n0\r\n\r\n`),
    400,
    '',
  ),
  body(
    'in chunks that are none',
    raw('Transfer-Encoding: chunked\r\n', `zz\r\n${good()}`),
    400,
    '',
  ),
  body('in chunks without an end', raw('Transfer-Encoding: chunked\r\n', '2\r\n{}\r\n'), 400, ''),
]
