import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../app.ts'
import { json, NOT_FOUND, redirect } from '../kit/respond.ts'
import { route } from '../kit/route.ts'
import { addNote, editCell, pauseCustomers } from './change-customers.ts'
import { changeRun, DRIVERS } from './change-runs.ts'
import type { ConsoleState, Outcome } from './console-state.ts'
import { exposeConsole } from './expose-console.ts'
import { listCustomers } from './list-customers.ts'
import { activityPage, carriersPage, clientPage } from './pages.ts'
import { reportDeliveries, watchCarrier } from './report-deliveries.ts'
import { seedConsole } from './seed-console.ts'

/** Brightquay: the back office of a logistics service. Its pages draw themselves from a small JSON API. */
export const adminApp: App<ConsoleState> = {
  name: 'admin',
  seed: seedConsole,
  handle: route<ConsoleState>({
    'GET /': () => redirect('/customers'),
    'GET /customers': () => clientPage('Customers', 'customers'),
    'GET /customers/:id': ({ customers }, _request, _tools, { id }) => {
      const customer = customers.find((one) => one.id === id)
      return customer === undefined
        ? NOT_FOUND
        : clientPage(customer.company, 'customer', customer.id)
    },
    'GET /board': () => clientPage('Dispatch board', 'board'),
    'GET /reports': () => clientPage('Reports', 'reports'),
    'GET /carriers': ({ carriers }) => carriersPage(carriers),
    'GET /carriers/:id': ({ carriers }, _request, _tools, { id }) => {
      const carrier = carriers.find((one) => one.id === id)
      return carrier === undefined ? NOT_FOUND : clientPage(carrier.name, 'carrier', carrier.id)
    },
    'GET /activity': ({ activity }) => activityPage(activity),
    'GET /api/customers': async (state, { query }) => {
      await sleep(120)
      return json(listCustomers(state, query))
    },
    'POST /api/customers/pause': (state, { body }, { now }) =>
      answer(pauseCustomers(state, body, now())),
    'GET /api/customers/:id': ({ customers }, _request, _tools, { id }) => {
      const customer = customers.find((one) => one.id === id)
      if (customer === undefined) return NOT_FOUND
      const { invoices: _invoices, ...rest } = customer
      return json(rest)
    },
    'GET /api/customers/:id/invoices': async ({ customers }, _request, _tools, { id }) => {
      await sleep(350)
      return json({ invoices: customers.find((one) => one.id === id)?.invoices ?? [] })
    },
    'PATCH /api/customers/:id': (state, { body }, { now }, { id = '' }) =>
      answer(editCell(state, id, body, now())),
    'POST /api/customers/:id/notes': (state, { body }, { now }, { id = '' }) =>
      answer(addNote(state, id, body, now())),
    'GET /api/runs': async ({ runs }) => {
      await sleep(200)
      return json({ runs, drivers: DRIVERS })
    },
    'PATCH /api/runs/:id': (state, { body }, { now, announce }, { id = '' }) => {
      const outcome = changeRun(state, id, body, now())
      if (outcome.ok) announce('board', { id })
      return answer(outcome)
    },
    'GET /api/report': async (state, { query }) => {
      await sleep(400)
      const report = reportDeliveries(state, query)
      return json(report, { status: report.ok ? 200 : 422 })
    },
    'GET /api/carriers/:id': ({ carriers }, _request, _tools, { id }) =>
      json(carriers.find((one) => one.id === id) ?? {}),
    'POST /api/carriers/:id/watch': (state, { body }, { now }, { id = '' }) =>
      answer(watchCarrier(state, id, body, now())),
  }),
  expose: exposeConsole,
}

function answer(outcome: Outcome) {
  return json({ message: outcome.message }, { status: outcome.ok ? 200 : outcome.status })
}
