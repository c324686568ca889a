import type { App } from '../app.ts'
import { route } from '../kit/route.ts'
import { apiRoutes } from './api-routes.ts'
import type { DeskState } from './desk-state.ts'
import { exposeDesk } from './expose-desk.ts'
import { pageRoutes } from './page-routes.ts'
import { seedDesk } from './seed-desk.ts'
import { signInRoutes } from './sign-in-routes.ts'

/** A helpdesk: inbox, conversations, notes, merging, settings, reports; nothing of it without signing in. */
export const helpdesk: App<DeskState> = {
  name: 'helpdesk',
  seed: seedDesk,
  handle: route<DeskState>({ ...signInRoutes, ...pageRoutes, ...apiRoutes }),
  expose: exposeDesk,
  expireSessions: ({ sessions }) => sessions.clear(),
}
