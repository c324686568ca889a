import type { AppRequest } from '../app.ts'
import { findSession } from '../kit/sessions.ts'
import type { Agent, DeskState, Settings, Workspace } from './desk-state.ts'

export type SignedIn = { agent: Agent; workspace: Workspace; settings: Settings }

/** Who asks; null = nobody, or somebody who has not chosen a workspace yet. */
export function findSignedIn(state: DeskState, request: AppRequest): SignedIn | null {
  const session = findSession(state.sessions, request)
  const agent = state.agents.find(({ id }) => id === session?.agent)
  const workspace = state.workspaces.find(({ id }) => id === session?.workspace)
  const settings = state.settings[agent?.id ?? '']
  return agent && workspace && settings ? { agent, workspace, settings } : null
}

/** Where to go on after signing in: a path of this app, the inbox for anything else. */
export function readNext(next: string | null): string {
  return next !== null && /^\/(?![/\\])[\w/?=&%+.-]*$/.test(next) ? next : '/inbox'
}
