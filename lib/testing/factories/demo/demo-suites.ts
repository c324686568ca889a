import { digestBytes } from '#lib/domain/digest/index.ts'
import type {
  BrowserFaultKind,
  MeasuredMode,
  Subject,
  Targeting,
} from '#lib/domain/record/index.ts'
import type { Settings } from '#lib/domain/settings/index.ts'
import {
  type AssertionSpec,
  digestSuite,
  PROTOCOL_VERSION,
  type Suite,
  WORKFLOW_CATEGORIES,
  type Workflow,
} from '#lib/domain/tasks/index.ts'
import { sampleSuite } from '../sample-record.ts'

const CATEGORIES = ['strings', 'algorithms', 'types', 'parsing', 'logged-in']
const DIFFICULTIES = ['easy', 'medium', 'hard'] as const

/** The `demo` suite; version 2 differs from 1 in its last two tasks, and all other tasks have held-out transcripts. */
export function demoSuite(version: 1 | 2 = 2, taskCount = 20): Suite {
  const [shape] = sampleSuite().tasks
  if (!shape) throw new Error('the sample suite has no task')
  const tasks = Array.from({ length: taskCount }, (_, index) => {
    const taskId = `demo-${String(index + 1).padStart(2, '0')}`
    const isChanged = version === 2 && index >= taskCount - 2
    const hasHeldOut = version === 2 && !isChanged
    return {
      ...shape,
      taskId,
      title: `Made-up task ${index + 1}`,
      digest: digestBytes(isChanged ? `${taskId} v2` : taskId),
      category: CATEGORIES[index % CATEGORIES.length] ?? 'strings',
      difficulty: DIFFICULTIES[index % DIFFICULTIES.length] ?? 'easy',
      ...(hasHeldOut ? { heldOut: digestBytes(`held-out ${taskId}`) } : {}),
    }
  })
  return {
    ...sampleSuite(`${version}.0.0`),
    suiteId: 'demo',
    // The board has all kinds of rows, also scripted ones.
    subjectKinds: ['agent', 'library', 'control'],
    title: 'Demo (simulated)',
    description:
      'Made-up tasks and made-up results, to see every kind of row. Nothing here was measured.',
    digest: digestSuite(tasks),
    tasks,
  }
}

const TASK_COUNT = 12

/** Success criteria with every operator and most kinds, so that pages show all of them. */
const CONTRACT: AssertionSpec[] = [
  {
    kind: 'state',
    label: 'Exactly one order, with the right line and total',
    path: 'orders',
    exactly: [{ lines: [{ sku: 'mug-blue', quantity: 2 }], totalCents: 2380 }],
  },
  { kind: 'state', path: 'carts', count: 0 },
  { kind: 'network', request: 'POST /orders', count: 1, status: 201 },
  {
    kind: 'any',
    label: 'The page says that the order was placed',
    of: [
      { kind: 'text', css: '[role=status]', words: { contains: 'Thank you' } },
      { kind: 'url', path: '/orders/1' },
    ],
  },
  { kind: 'not', of: { kind: 'count', css: '.error', count: { least: 1 } } },
  { kind: 'no-dialog' },
]

const FAULTS: Partial<Record<BrowserFaultKind, string>> = {
  overlay: 'POST /cart/items',
  'lost-response': 'POST /orders',
  'renderer-crash': 'GET /checkout',
}

/** A made-up browser suite; no such app or library was ever measured. */
export function demoBrowserSuite(): Suite {
  const tasks = Array.from({ length: TASK_COUNT }, (_, index) => demoWorkflow(index))
  return {
    suiteId: 'demo-browser',
    kind: 'browser',
    title: 'Browser demo (simulated)',
    description: 'Made-up workflows and made-up results of libraries. Nothing here was measured.',
    version: '1.0.0',
    protocolVersion: PROTOCOL_VERSION,
    source: null,
    digest: digestSuite(tasks),
    tasks,
  }
}

function demoWorkflow(index: number): Workflow {
  const taskId = `demo-flow-${String(index + 1).padStart(2, '0')}`
  return {
    kind: 'browser',
    taskId,
    digest: digestBytes(taskId),
    title: `Made-up workflow ${index + 1}`,
    category: WORKFLOW_CATEGORIES[index % WORKFLOW_CATEGORIES.length] ?? 'transactional',
    difficulty: DIFFICULTIES[index % DIFFICULTIES.length] ?? 'easy',
    app: 'shop',
    start: '/',
    seed: 7,
    instruction:
      'Open {{origin}}, order two blue mugs and have them sent to the address that is on file. ' +
      'Use the voucher SPRING if the shop takes it.',
    budgets: { timeoutMs: 60_000, maxActions: 80 },
    needs: index % 4 === 0 ? ['upload'] : [],
    files: index % 4 === 0 ? ['receipt.pdf'] : [],
    faults: FAULTS,
    contract: CONTRACT,
  }
}

/** One demo row: its skill, and the reason why it is unranked. */
export type DemoRow = {
  name: string
  kind: Subject['kind']
  model: string | null
  repetitions: number
  /** Chance of success on an average task, 0–1. */
  skill: number
  mode: MeasuredMode
  stress?: boolean
  /** Share of slots whose only attempt is excluded. */
  voids?: number
  settings?: Partial<Settings>
  /** Locator strategy of a browser library. */
  targeting?: Targeting
  /** True if it ran the suite's earlier version. */
  old?: boolean
  /** Micro-dollars and tokens per episode; null = unknown. */
  cost: number | null
  tokens: number | null
}

const agent = (
  name: string,
  model: string,
  skill: number,
  more: Partial<DemoRow> = {},
): DemoRow => ({
  name,
  kind: 'agent',
  model,
  repetitions: 3,
  skill,
  mode: 'live',
  cost: 40_000 + 200_000 * skill,
  tokens: 30_000,
  ...more,
})

const library = (name: string, skill: number, more: Partial<DemoRow> = {}): DemoRow => ({
  ...agent(name, '', skill, more),
  kind: 'library',
  model: null,
  cost: null,
  tokens: null,
})

/** At least one row of every badge, two ranked rows that tie, and one on an earlier suite version. */
export const DEMO_ROWS: readonly DemoRow[] = [
  agent('demo-agent-a', 'model-l', 0.86),
  agent('demo-agent-b', 'model-l', 0.8),
  agent('demo-agent-c', 'model-s', 0.45, { cost: 20_000 }),
  agent('demo-agent-d', 'model-s', 0.4, { mode: 'recorded-real', cost: null }),
  library('demo-library-x', 0.97),
  library('demo-library-y', 0.7),
  library('demo-library-x', 0.75, { stress: true }),
  library('demo-library-y', 0.4, { stress: true }),
  agent('demo-agent-e', 'model-l', 0.7, { repetitions: 1, voids: 0.3 }),
  agent('demo-agent-f', 'model-l', 0.6, { settings: { temperature: null, maxTokens: null } }),
  agent('demo-agent-g', 'model-m', 0.65, { repetitions: 0 }),
  { ...agent('demo-control', '', 0.5), kind: 'control', model: null, mode: 'scaffold', cost: null },
  agent('demo-agent-a', 'model-l', 0.82, { old: true }),
]

const browser = (
  name: string,
  targeting: Targeting,
  skill: number,
  { settings, ...more }: Partial<DemoRow> = {},
): DemoRow => ({
  ...library(name, skill, more),
  targeting,
  settings: { browser: 'reused', ...settings },
})

const under = (fault: string): Partial<DemoRow> => ({ settings: { fault } })

/** Rows of the demo browser suite: scripted libraries, a cold one, one driven by a model, and faults. */
export const DEMO_BROWSER_ROWS: readonly DemoRow[] = [
  browser('demo-browser-a', 'role', 0.98),
  browser('demo-browser-b', 'css', 0.9),
  browser('demo-browser-c', 'ref', 0.8),
  browser('demo-browser-a', 'role', 0.97, { settings: { browser: 'cold' } }),
  {
    ...browser('demo-browser-c', 'ref', 0.6),
    model: 'model-l',
    tokens: 60_000,
    cost: 90_000,
  },
  browser('demo-browser-a', 'role', 0.9, under('overlay')),
  browser('demo-browser-b', 'css', 0.6, under('overlay')),
  browser('demo-browser-c', 'ref', 0.4, under('overlay')),
  browser('demo-browser-a', 'role', 0.7, under('lost-response')),
  browser('demo-browser-b', 'css', 0.5, under('renderer-crash')),
]
