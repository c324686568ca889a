import { attachment, json } from '../kit/respond.ts'
import type { Routes } from '../kit/route.ts'
import { keepNotifications, keepProfile, type Mistakes, TIME_ZONES } from './change-settings.ts'
import { describeRow, knownTags, writeTime } from './describe-ticket.ts'
import type { DeskState } from './desk-state.ts'
import { exportCsv, readReportFilter, reportTickets } from './export-csv.ts'
import { type Asked, signedIn } from './guard.ts'
import { listTickets, PAGE_SIZE, readFilter } from './list-tickets.ts'
import type { SignedIn } from './signed-in.ts'
import { ticketRoutes } from './ticket-routes.ts'

/** What the pages ask for and send, as JSON. */
export const apiRoutes: Routes<DeskState> = {
  'GET /api/tickets': signedIn(answerInbox),
  'GET /api/report': signedIn(({ state, request, who }) => {
    const found = reportTickets(state, readReportFilter(request.query))
    const when = writeTime(who)
    const rows = found.slice(0, 8).map((ticket) => describeRow(state, ticket, when))
    return json({ total: found.length, rows, tags: knownTags(state) })
  }),
  'GET /reports/export.csv': signedIn(({ state, request }) => {
    const filter = readReportFilter(request.query)
    const parts = ['tickets', filter.status, filter.tag, filter.month].filter((part) => part !== '')
    const text = exportCsv(state, reportTickets(state, filter))
    return attachment(`${parts.join('-')}.csv`, 'text/csv; charset=utf-8', text)
  }),
  'GET /api/settings': signedIn(({ who }) => json(describeSettings(who))),
  'PUT /api/settings/profile': signedIn(({ who, request }) =>
    keptOr(who, keepProfile(who.settings, request.body)),
  ),
  'PUT /api/settings/notifications': signedIn(({ who, request }) =>
    keptOr(who, keepNotifications(who.settings, request.body)),
  ),
  ...ticketRoutes,
}

function describeSettings({ settings }: SignedIn) {
  return { ...settings, timeZones: TIME_ZONES }
}

function keptOr(who: SignedIn, mistakes: Mistakes) {
  if (Object.keys(mistakes).length === 0) return json(describeSettings(who))
  return json(
    { message: 'Something is not right yet; nothing was saved.', mistakes },
    { status: 422 },
  )
}

function answerInbox({ state, request, who }: Asked) {
  const found = listTickets(state, readFilter(request.query))
  const pages = Math.max(1, Math.ceil(found.length / PAGE_SIZE))
  const asked = Number(request.query.get('page') ?? '1')
  const page = Number.isInteger(asked) ? Math.min(Math.max(asked, 1), pages) : 1
  const when = writeTime(who)
  return json({
    total: found.length,
    page,
    pages,
    tickets: found
      .slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)
      .map((ticket) => describeRow(state, ticket, when)),
    agents: state.agents.map(({ id, name }) => ({ id, name })),
    tags: knownTags(state),
  })
}
