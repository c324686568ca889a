import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import type { TracedAction } from '#lib/domain/browser/traced-action.ts'
import { TRACE_FILE } from '#lib/domain/browser/traced-action.ts'
import { digestBytes } from '#lib/domain/digest.ts'
import type { EvidenceFile } from '#lib/domain/episode.ts'

type MadeFile = EvidenceFile & { bytes: Uint8Array }

const drawn = new Map<string, MadeFile[]>()

type Ending = { isSolved: boolean; hasError: boolean }

/** The evidence of a made-up browser episode: a drawn page and a trace of its steps; the same for every one. */
export function demoEvidence(ending: Ending): MadeFile[] {
  const key = JSON.stringify(ending)
  const known = drawn.get(key) ?? makeEvidence(ending)
  drawn.set(key, known)
  return known
}

function makeEvidence({ isSolved, hasError }: Ending): MadeFile[] {
  return [
    made('screenshot', 'screenshot.png', drawPage(isSolved)),
    made('events', TRACE_FILE, Buffer.from(traceOf(hasError))),
    made('contract-evidence', 'final-state.json', Buffer.from(stateOf(isSolved))),
    made('subject-log', 'subject.log', Buffer.from('simulated: no library ever ran\n')),
  ]
}

/** The envelope's side of it. */
export function listEvidence(files: readonly MadeFile[]): EvidenceFile[] {
  return files.map(({ bytes: _, ...file }) => file)
}

/** Writes the files below the data folder and answers where, relative to it. */
export function writeEvidence(
  dataDir: string,
  episodeId: string,
  files: readonly MadeFile[],
): string {
  const directory = join('demo-evidence', episodeId)
  mkdirSync(join(dataDir, directory), { recursive: true })
  for (const { path, bytes } of files) writeFileSync(join(dataDir, directory, path), bytes)
  return directory
}

function made(role: EvidenceFile['role'], path: string, bytes: Uint8Array): MadeFile {
  return { role, path, digest: digestBytes(bytes), sizeBytes: bytes.length, droppedBytes: 0, bytes }
}

function stateOf(isSolved: boolean): string {
  const order = { lines: [{ sku: 'mug-blue', quantity: 2 }], totalCents: 2380 }
  const state = { orders: isSolved ? [order] : [], carts: [] }
  return `${JSON.stringify({ simulated: true, url: '/orders', state }, null, 2)}\n`
}

const STEPS: readonly (readonly [string, string, string | null])[] = [
  ['open the shop', 'open', '/'],
  ['search for the mug', 'fill', 'textbox “Search”'],
  ['search for the mug', 'press', 'Enter'],
  ['search for the mug', 'waitText', '“2 results”'],
  ['put two into the cart', 'select', 'combobox “Quantity”'],
  ['put two into the cart', 'click', 'button “Add to cart”'],
  ['place the order', 'click', 'link “Checkout”'],
  ['place the order', 'click', 'button “Place order”'],
]

function traceOf(hasError: boolean): string {
  const actions = STEPS.map(([step, action, target], place): TracedAction => {
    const isLast = place === STEPS.length - 1
    const error = isLast && hasError ? 'simulated: the button did not take the click' : null
    return { step, action, target, startMs: 180 + 240 * place, durationMs: 40 + 23 * place, error }
  })
  return `${actions.map((action) => JSON.stringify(action)).join('\n')}\n`
}

const [WIDTH, HEIGHT] = [640, 400]

/** A page as a child would draw it: a bar, three shelves, a button; green when the order was placed. */
function drawPage(isSolved: boolean): Buffer {
  const rows = Array.from({ length: HEIGHT }, (_, y) => {
    const pixels = Array.from({ length: WIDTH }, (__, x) => pixelAt(x, y, isSolved))
    return Buffer.from([0, ...pixels.flat()])
  })
  const header = Buffer.alloc(13)
  header.writeUInt32BE(WIDTH, 0)
  header.writeUInt32BE(HEIGHT, 4)
  header.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function pixelAt(x: number, y: number, isSolved: boolean): [number, number, number] {
  if (y < 48) return [38, 70, 83]
  if (y > 320 && y < 360 && x > 440 && x < 600) return isSolved ? [42, 157, 143] : [231, 111, 81]
  const isShelf = x > 40 && x < 400 && (y - 48) % 96 > 28 && (y - 48) % 96 < 76 && y < 336
  return isShelf ? [226, 226, 220] : [252, 252, 250]
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}
