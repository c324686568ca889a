import { basename } from 'node:path'
import type { ActionName, Target } from '../action-surface.ts'

const MOST = 500

/** What an action was aimed at, as the trace shows it; null where it has no aim. Typed text is left out. */
export function describeAction(action: ActionName, args: readonly unknown[]): string | null {
  const aim = describe(action, args)
  return aim !== null && aim.length > MOST ? `${aim.slice(0, MOST - 1)}…` : aim
}

function describe(action: ActionName, [first, second]: readonly unknown[]): string | null {
  if (action === 'open') return String(first)
  if (action === 'press' || action === 'waitText') {
    const what = action === 'press' ? String(first) : `“${first}”`
    return isTarget(second) ? `${what} in ${name(second)}` : what
  }
  if (!isTarget(first)) return null
  if (action === 'drag' && isTarget(second)) return `${name(first)} → ${name(second)}`
  if (action === 'select') return `${name(first)}: ${second}`
  if (action === 'upload') return `${name(first)}: ${fileNames(second)}`
  return name(first)
}

function fileNames(paths: unknown): string {
  return Array.isArray(paths) ? paths.map((path) => basename(String(path))).join(', ') : ''
}

function isTarget(value: unknown): value is Target {
  return typeof value === 'object' && value !== null && 'css' in value
}

function name(target: Target): string {
  return target.role === undefined ? target.css : `${target.role} “${target.name ?? ''}”`
}
