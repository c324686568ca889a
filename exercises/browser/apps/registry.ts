import { adminApp } from './admin/admin.ts'
import type { App, AppRequest, AppResponse, AppTools, Draw } from './app.ts'
import { applicationApp } from './application/application.ts'
import { helpdesk } from './helpdesk/app.ts'
import { shop } from './shop/shop.ts'

/** An app whose kind of state is its own affair. */
export type AnyApp = { name: string; start: (draw: Draw) => RunningApp }

/** One tenant's app at work, holding its state. */
export type RunningApp = {
  handle: (request: AppRequest, tools: AppTools) => AppResponse | Promise<AppResponse>
  expose: () => unknown
  expireSessions: (() => void) | null
}

function register<State>({ name, seed, handle, expose, expireSessions }: App<State>): AnyApp {
  const start = (draw: Draw): RunningApp => {
    const state = seed(draw)
    return {
      handle: (request, tools) => handle(state, request, tools),
      expose: () => expose(state),
      expireSessions: expireSessions ? () => expireSessions(state) : null,
    }
  }
  return { name, start }
}

/** Every app that the server knows; a new one adds its line. */
export const APPS: readonly AnyApp[] = [
  register(shop),
  register(adminApp),
  register(applicationApp),
  register(helpdesk),
]
