import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { nodeRed } from './node-red.ts'
import type { ThirdPartyApp } from './third-party-app.ts'
import { tiddlywiki } from './tiddlywiki.ts'

const APPS: readonly ThirdPartyApp[] = [nodeRed, tiddlywiki]

/** The third-party app of that name; null = there is none, so it is one of ours. */
export function findThirdParty(name: string): ThirdPartyApp | null {
  return APPS.find((app) => app.name === name) ?? null
}

/** The app's start script below the project or above it; null = the package is not installed. */
export function findEntry(app: ThirdPartyApp, from: string): string | null {
  const path = join(from, 'node_modules', app.package, app.entry)
  if (existsSync(path)) return path
  const above = dirname(from)
  return above === from ? null : findEntry(app, above)
}
