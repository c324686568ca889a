import { crc32, deflateSync } from 'node:zlib'
import { type Digest, digestBytes } from '#lib/domain/digest/index.ts'
import { RELEASED_PROGRAMS } from '#lib/domain/eligibility/index.ts'
import {
  type Assertion,
  type ContractResult,
  type EvidenceFile,
  FILM_FILE,
  type FilmFrame,
  filmPath,
  type Outcome,
  TRACE_FILE,
  type TracedAction,
  type Verdict,
  type Verifier,
} from '#lib/domain/record/index.ts'
import { TRANSCRIPT_FILE } from '#lib/domain/transcript/index.ts'
import { type EvidenceStore, evidenceRef } from '#lib/server/evidence/evidence-store.ts'
import { sampleTests } from '../sample-record.ts'
import { sampleTranscript, writeTranscript } from '../sample-transcript.ts'

type MadeFile = EvidenceFile & { bytes: Uint8Array }

const drawn = new Map<string, MadeFile[]>()

type Ending = { isSolved: boolean; hasError: boolean }
type DemoEnding = { isSolved: boolean; taskId: string; model: string | null; name: string }

/** Evidence of a demo browser episode: a drawn page and a trace of its steps, the same for every episode. */
export function demoEvidence(ending: Ending): MadeFile[] {
  const key = JSON.stringify(ending)
  const known = drawn.get(key) ?? makeEvidence(ending)
  drawn.set(key, known)
  return known
}

function makeEvidence({ isSolved, hasError }: Ending): MadeFile[] {
  return [
    made('screenshot', 'screenshot.png', pagePicture(isSolved)),
    made('events', TRACE_FILE, Buffer.from(traceOf(hasError))),
    made('contract-evidence', 'final-state.json', Buffer.from(stateOf(isSolved))),
    made('subject-log', 'subject.log', Buffer.from('simulated: no library ever ran\n')),
    ...filmOf({ isSolved, hasError }),
  ]
}

/** Transcript of a demo agent, marked as simulated; the same for equal endings. */
export function demoTranscript(ending: DemoEnding): MadeFile[] {
  const key = JSON.stringify(ending)
  const known = drawn.get(key) ?? [
    made('subject-log', 'subject.log', Buffer.from('simulated: no agent ever ran\n')),
    made('transcript', TRANSCRIPT_FILE, Buffer.from(writeTranscript(sampleTranscript(ending)))),
  ]
  drawn.set(key, known)
  return known
}

/** A recording as the gateway would make it, marked as simulated. */
export function demoRecording(slot: {
  name: string
  taskId: string
  repetition: number
}): MadeFile {
  const { name, taskId, repetition } = slot
  const text = JSON.stringify({ simulated: true, name, taskId, repetition })
  return made('gateway-recording', 'recording.json', Buffer.from(text))
}

/** Describes these files for the envelope. */
export function listDemoEvidence(files: readonly MadeFile[]): EvidenceFile[] {
  return files.map(({ bytes: _, ...file }) => file)
}

/** Stores the files of an episode and returns their directory. */
export async function writeEvidence(
  store: EvidenceStore,
  episodeId: string,
  files: readonly MadeFile[],
): Promise<string> {
  const directory = `demo-evidence/${episodeId}`
  for (const { bytes, ...file } of files) {
    const ref = evidenceRef(directory, file)
    if (ref) await store.put(ref, bytes)
  }
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

/** One drawn page at the end of each step. */
function filmOf({ isSolved, hasError }: Ending): MadeFile[] {
  const ends = STEPS.flatMap(([step], place) => (STEPS[place + 1]?.[0] === step ? [] : [place]))
  const frames = ends.map((place, index): FilmFrame => {
    const step = STEPS[place]?.[0] ?? ''
    const failed = hasError && place === STEPS.length - 1
    const action = failed ? 'click' : null
    const endMs = 220 + 263 * place
    return { path: filmPath(index + 1), step, action, endMs, lateMs: 30, failed }
  })
  const lines = frames.map((frame) => `${JSON.stringify(frame)}\n`).join('')
  return [
    made('events', FILM_FILE, Buffer.from(lines)),
    ...frames.map(({ path }, index) =>
      made('screenshot', path, pagePicture(isSolved && index === frames.length - 1)),
    ),
  ]
}

const [WIDTH, HEIGHT] = [640, 400]

const pictures = new Map<boolean, Buffer>()

/** Draws a simple page: a bar, three shelves, a button; green if the order was placed. */
function pagePicture(isSolved: boolean): Buffer {
  const found = pictures.get(isSolved) ?? drawPage(isSolved)
  pictures.set(isSolved, found)
  return found
}

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

/** The verifier that demo envelopes name. */
export const DEMO_VERIFIER: Verifier = {
  sandbox: 'bubblewrap',
  network: 'none',
  // An unknown verifier would keep every demo row from being ranked.
  digest: [...RELEASED_PROGRAMS.verifiers].at(-1) as Digest,
}

type Made = {
  isSolved: boolean
  hasHeldOut: boolean
  /** An unsolved one fails either its visible tests or only the held-out transcript. */
  failsHeldOut: boolean
}

/** A made-up contract, with the outcome that follows from it. */
export function demoContract(made: Made): { contract: ContractResult; outcome: Outcome } {
  const { isSolved, hasHeldOut } = made
  const passesVisible = isSolved || (hasHeldOut && made.failsHeldOut)
  const contract: ContractResult = {
    verdict: verdictOf(isSolved),
    assertions: [
      assertion('types', "compiles with the exercise's own settings", verdictOf(true)),
      testsAssertion(passesVisible),
      ...(hasHeldOut ? [heldOut(isSolved, passesVisible)] : []),
    ],
    expectedTests: 8,
    executedTests: 8,
    passedTests: passesVisible ? 8 : SOME_PASS,
  }
  if (isSolved) return { contract, outcome: { status: 'solved' } }
  const reason = passesVisible
    ? `${HELD_OUT}: first difference, seed 7f: simulated`
    : '2 of 8 tests failed'
  return { contract, outcome: { status: 'unsolved', reason } }
}

const SOME_PASS = 6

/** The tests that all demo tasks share. */
function testsAssertion(isPassed: boolean): Assertion {
  const children = sampleTests('alpha').map((name, index) =>
    assertion('test', name, verdictOf(isPassed || index < SOME_PASS)),
  )
  return { ...assertion('tests', 'every official test passes', verdictOf(isPassed)), children }
}

const HELD_OUT = 'behaves as the reference on held-out inputs'

function heldOut(isSolved: boolean, isCompared: boolean): Assertion {
  const observed = isSolved ? 'the same transcript' : 'another transcript'
  const difference = assertion('observation', 'first difference, seed 7f', 'fail', {
    expected: 'simulated: 3',
    observed: 'simulated: 2',
  })
  return {
    ...assertion('held-out', HELD_OUT, verdictOf(isSolved), {
      expected: '120 observations, seeds 3c and 7f',
      observed: isCompared ? observed : 'not compared: see above',
    }),
    children: isSolved || !isCompared ? [] : [difference],
  }
}

function assertion(
  kind: string,
  label: string,
  verdict: Verdict,
  sides = { expected: 'simulated', observed: 'simulated' },
): Assertion {
  return { kind, label, ...sides, verdict, children: [] }
}

const verdictOf = (isPassed: boolean): Verdict => (isPassed ? 'pass' : 'fail')
