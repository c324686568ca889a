import type { BrowserFaultKind } from '#lib/domain/browser/browser-fault.ts'
import type { AssertionSpec } from '#lib/domain/browser/contract-spec.ts'
import { WORKFLOW_CATEGORIES, type Workflow } from '#lib/domain/browser/workflow.ts'
import { digestBytes } from '#lib/domain/digest.ts'
import { digestSuite, PROTOCOL_VERSION, type Suite } from '#lib/domain/suite.ts'

const TASK_COUNT = 12
const DIFFICULTIES = ['easy', 'medium', 'hard'] as const

/** Every way of combining and most kinds, so that the pages have something to say. */
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

/** A made-up browser suite: no such app and no such library was ever measured. */
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
