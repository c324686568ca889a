import { inspect } from 'node:util'
import { noteRefusedWrite } from './guard-writes.ts'

const show = inspect
const LIMIT = 16 * 1024

/** Text for whatever was thrown: null, proxies and objects with throwing getters included. */
export function describeError(error: unknown): string {
  try {
    noteRefusedWrite(error)
    const text = errorText(error)
    return text.length > LIMIT ? `${text.slice(0, LIMIT)}…` : text
  } catch {
    return 'a value was thrown that cannot be described'
  }
}

function errorText(error: unknown): string {
  if ((typeof error !== 'object' && typeof error !== 'function') || error === null)
    return `thrown: ${show(error)}`
  const { stack, message } = error as { stack?: unknown; message?: unknown }
  if (typeof stack === 'string' && stack !== '') return withoutHarness(stack)
  if (typeof message === 'string' && message !== '') return message
  return `thrown: ${show(error, { customInspect: false, showProxy: true, depth: 2 })}`
}

/** Frames of the runner and of node say nothing to a reader. */
function withoutHarness(stack: string): string {
  const lines = stack.split('\n')
  const kept = lines.filter((line) => !/^\s+at .*(node:|gate-child)/.test(line))
  return kept.join('\n')
}
