import { smallBundle } from '../small-bundle.ts'
import { ARCHIVE_BODIES } from './archive-bodies.ts'
import { BUNDLE_BODIES } from './bundle-bodies.ts'
import {
  body,
  edited,
  forgedBundle,
  type HostileBody,
  type Loose,
  swapped,
} from './hostile-body.ts'

const cutAt = (part: number) => () => good().slice(0, Math.floor(good().length * part))

const good = () => smallBundle()

/** Bodies that are not strict JSON, or too large. */
const TEXT_BODIES: readonly HostileBody[] = [
  body('nothing at all', () => '', 400, 'is empty'),
  body('white space', () => ' \n\t ', 400, 'cut off'),
  body('one quotation mark', () => '"', 400, 'cut off'),
  body('cut off at a tenth', cutAt(0.1), 400, 'cut off'),
  body('cut off in the middle', cutAt(0.5), 400, 'cut off'),
  body('cut off at nine tenths', cutAt(0.9), 400, 'cut off'),
  body('cut off before its last brace', () => good().slice(0, -1), 400, 'cut off'),
  body('something after its end', () => `${good()}]`, 400, 'something follows'),
  body('two documents in one line', () => `${good()}${good()}`, 400, 'something follows'),
  body('ten thousand levels of lists', () => '['.repeat(10_000), 413, '64 levels deep'),
  body('a million levels of objects', () => '{"a":'.repeat(1_000_000), 413, '64 levels deep'),
  body(
    'depth inside a good bundle',
    () => swapped('"os":', `"deep":${'['.repeat(100)}${']'.repeat(100)},"os":`),
    413,
    '64 levels deep',
  ),
  body('1e999', () => swapped('"cpuCount":', '"x":1e999,"cpuCount":'), 400, 'too large'),
  body('-1e999', () => swapped('"cpuCount":', '"x":-1e999,"cpuCount":'), 400, 'too large'),
  body(
    '2^63',
    () => swapped('"cpuCount":', '"x":9223372036854775808,"cpuCount":'),
    400,
    'too large to be held exactly',
  ),
  body(
    'an integer that loses a digit',
    () => swapped('"count":1', '"count":9007199254740993'),
    400,
    'exactly',
  ),
  body('a number of a million digits', () => `[${'9'.repeat(1_000_000)}]`, 400, 'too large'),
  body('NaN', () => swapped('"cpuCount":2', '"cpuCount":NaN'), 400, 'is not allowed here'),
  body('-Infinity', () => swapped('"cpuCount":2', '"cpuCount":-Infinity'), 400, 'is not allowed'),
  body('a number in hex', () => swapped('"cpuCount":2', '"cpuCount":0x2'), 400, 'is not allowed'),
  body('a leading zero', () => swapped('"cpuCount":2', '"cpuCount":02'), 400, 'is not allowed'),
  body('a comment', () => `/* hello */${good()}`, 400, 'is not allowed here'),
  body('a comma too many', () => swapped('"cpuCount":2,', '"cpuCount":2,,'), 400, 'is not allowed'),
  body('single quotes', () => good().replaceAll('"', "'"), 400, 'is not allowed here'),
  body('a key twice', () => swapped('{"kind"', '{"kind":"x","kind"'), 400, 'is duplicated'),
  body(
    'a key twice, once in disguise',
    () => swapped('{"kind"', '{"\\u006bind":"x","kind"'),
    400,
    'is duplicated',
  ),
  body(
    'a key twice, deep inside',
    () => swapped('"cpuCount":2', '"cpuCount":2,"cpuCount":64'),
    400,
    'is duplicated',
  ),
  body('__proto__', () => swapped('{"kind"', '{"__proto__":{},"kind"'), 400, '__proto__'),
  body(
    '__proto__ in disguise',
    () => swapped('{"kind"', '{"\\u005f_proto__":{"admin":true},"kind"'),
    400,
    '__proto__',
  ),
  body(
    'constructor deep inside',
    () => swapped('"os":', '"constructor":{"prototype":{}},"os":'),
    400,
    'constructor',
  ),
  body('prototype', () => swapped('"os":', '"prototype":1,"os":'), 400, 'prototype'),
  body(
    'a byte order mark',
    () => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(good())]),
    400,
    'byte order mark',
  ),
  body('UTF-16', () => Buffer.from(`\ufeff${good()}`, 'utf16le'), 400, 'UTF-16'),
  body(
    'bytes that are not UTF-8',
    () => Buffer.concat([Buffer.from('["'), Buffer.from([0xc3, 0x28]), Buffer.from('"]')]),
    400,
    'not UTF-8',
  ),
  body(
    'a letter written too long',
    () => Buffer.concat([Buffer.from('["'), Buffer.from([0xc0, 0xaf]), Buffer.from('"]')]),
    400,
    'not UTF-8',
  ),
  body('half a surrogate pair', () => swapped('"os":"', '"os":"\\ud800'), 400, 'surrogate'),
  body('the other half', () => swapped('"os":"', '"os":"\\udc00\\ud800'), 400, 'surrogate'),
  body('NUL in a string', () => swapped('"os":"', '"os":"\u0000'), 400, 'control character'),
  body(
    'NUL as the first byte',
    () => Buffer.from([0, 0x5b, 0x5d]),
    415,
    'its first bytes match none',
  ),
  body('a line break in a string', () => swapped('"os":"', '"os":"\n'), 400, 'control character'),
  body(
    'a million tiny episodes',
    () => `[${Array(1_000_000).fill('{"a":1}').join(',')}]`,
    413,
    'more than 50000',
  ),
  body(
    'a million lines',
    () => Array(1_000_000).fill('{"episodeId":1}').join('\n'),
    413,
    'more than 50000',
  ),
  body(
    'a million episodes in a bundle',
    () => edited((bundle) => (bundle.episodes = Array(1_000_000).fill({}))),
    413,
    'more than 50000',
  ),
  body(
    'one envelope of twenty megabytes',
    () => edited((bundle) => (bundle.episodes[0].category = 'x'.repeat(20 << 20))),
    413,
    'one piece of it has 20 MB',
  ),
]

/** Every body that must be refused, however it is sent. */
export const HOSTILE_BODIES: readonly HostileBody[] = [
  ...TEXT_BODIES,
  ...BUNDLE_BODIES,
  ...ARCHIVE_BODIES,
]

/** Hostile texts for any string field. */
export const HOSTILE_STRINGS = {
  html: '<img src=x onerror=alert(1)>"\'&lt;',
  ansi: '\u001b[2J\u001b]0;owned\u0007\u001b[31mred',
  bidi: 'a\u202egnp.exe\u2066\u200b',
} as const
export type StringKind = keyof typeof HOSTILE_STRINGS

/** Values that a forger recomputes. */
const COMPUTED = /(^|\.)(planDigest|episodeId|seal)$/

/** Paths of every string in a valid bundle in which all nullable members are set. */
export function listStringPaths(): string[] {
  const bundle: Loose = JSON.parse(fullBundle('run_strings00'))
  const paths: string[] = []
  walk(bundle, '', (path) => paths.push(path))
  return paths.filter((path) => !path.startsWith('episodes.1') && !COMPUTED.test(path))
}

/** The bundle with a hostile string at some paths, frozen and sealed so that everything else is valid. */
export function bundleWith(paths: readonly string[], kind: StringKind, runId: string): string {
  return forgedBundle((bundle) => {
    for (const path of paths) put(bundle, path, HOSTILE_STRINGS[kind])
  }, fullBundle(runId))
}

function put(bundle: Loose, path: string, text: string): void {
  const keys = path.split('.')
  const last = keys.at(-1) ?? ''
  const holder = keys.slice(0, -1).reduce((value: Loose, key) => value[key], bundle)
  holder[last] = text
  // The subject of plan and episodes must be equal, or the bundle would be refused for that alone.
  const inSubject = /^(?:plan|episodes\.0)\.subject\.(\w+)$/.exec(path)?.[1]
  if (!inSubject) return
  for (const { subject } of [bundle.plan, ...bundle.episodes]) subject[inSubject] = text
}

/** A valid bundle with more strings to replace. */
function fullBundle(runId: string): string {
  return forgedBundle(
    (bundle) => {
      const full = { provider: 'acme', modelRequested: 'model-1', adapterVersion: '1' }
      bundle.plan.command = 'agent --go'
      for (const { subject } of [bundle.plan, ...bundle.episodes]) Object.assign(subject, full)
      const [episode] = bundle.episodes
      Object.assign(episode, {
        outcome: { status: 'unsolved', reason: 'one test failed' },
        failureCategory: 'test-failure',
        testSuccess: false,
        overallSuccess: false,
        fault: { plan: 'stall@2', point: 'step 2', firedAt: null, recovered: null },
      })
      Object.assign(episode.contract, { verdict: 'fail', passedTests: 7 })
      episode.contract.assertions = []
      episode.subject.modelObserved = ['model-1-2026']
      Object.assign(episode.effort, {
        steps: 1,
        toolCalls: { edit: 1 },
        firstTool: 'edit',
        noProgress: [{ signal: 'same-call', count: 1 }],
      })
      episode.evidence = [
        {
          role: 'gate-log',
          path: 'gate.log',
          digest: bundle.plan.planDigest,
          sizeBytes: 1,
          droppedBytes: 0,
        },
      ]
    },
    smallBundle({ runId, episodes: 2 }),
  )
}

function walk(value: Loose, path: string, found: (path: string) => void): void {
  if (typeof value === 'string') found(path)
  if (typeof value !== 'object' || value === null) return
  for (const [key, part] of Object.entries(value)) walk(part, path ? `${path}.${key}` : key, found)
}
