import { expect, it } from 'vitest'
import { digestBytes } from '#lib/domain/digest/index.ts'
import type { Workflow } from '#lib/domain/tasks/index.ts'
import { hostRequestSchema } from '../libraries/host-protocol.ts'
import { LIBRARIES } from '../libraries/registry.ts'
import { hostRequest } from './scripted-player.ts'

const WORKFLOW: Workflow = {
  kind: 'browser',
  taskId: 'place-order',
  digest: digestBytes('place-order'),
  title: 'Place an order',
  category: 'transactional',
  difficulty: 'easy',
  app: 'shop',
  start: '/checkout',
  seed: 1,
  instruction: 'Place the order at {{origin}}.',
  budgets: { timeoutMs: 60_000, maxActions: 20 },
  needs: [],
  files: ['bill.pdf'],
  faults: {},
  contract: [{ kind: 'no-dialog' }],
}

const TURN = {
  task: { folder: '/exercises/place-order', task: WORKFLOW },
  origin: 'http://e1.localhost:4000',
  endpoint: 'http://127.0.0.1:5000',
  files: { 'bill.pdf': '/staging/bill.pdf' },
  temporary: '/staging/tmp',
}

/** Members that only the harness's starter of hosts adds. */
const OWN = { sockets: [], chromedriver: null, tracePath: '/t' }

const orderOf = ({ name, webdriver }: (typeof LIBRARIES)[number]) =>
  hostRequest(
    { name },
    { ...TURN, webdriverPort: webdriver ? 6000 : null },
    { driverPath: '/bundles/driver.mjs', wrong: null },
  )

it('tells two libraries the same, but for the name and the chromedriver', () => {
  const rest = LIBRARIES.map((adapter) => {
    const { library, webdriverPort, ...same } = orderOf(adapter)
    expect(library).toBe(adapter.name)
    expect(webdriverPort).toBe(adapter.webdriver ? 6000 : null)
    return same
  })
  for (const same of rest) expect(same).toEqual(rest[0])
  expect(LIBRARIES.some(({ webdriver }) => webdriver)).toBe(true)
})

it('tells nothing of the contract, and is what the host expects', () => {
  const order = orderOf(LIBRARIES[0]!)
  expect(hostRequestSchema.parse({ ...order, ...OWN })).toEqual({
    ...order,
    ...OWN,
  })
  expect(JSON.stringify(order)).not.toMatch(/contract|no-dialog|control/)
})
