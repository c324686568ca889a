// @ts-check
import { runCommand } from '../process/run-command.mjs'
import { NOTHING } from './tally.mjs'

/** @typedef {import('./tally.mjs').Tally} Tally */
/** @typedef {{ ok: boolean, tally: Tally, note: string, output: string, failures?: string, times?: string, flaky?: string[] }} StepResult */

/**
 * A step that is one command of node: green when it exits 0.
 * @param {string[]} args
 * @param {Record<string, string>} [env]
 * @returns {Promise<StepResult>}
 */
export async function runTool(args, env = {}) {
  const { code, output } = await runCommand(process.execPath, args, { env })
  // A check that is red counts as one failure: the closing line must not look green.
  const tally = code === 0 ? NOTHING : { ...NOTHING, failed: 1 }
  return { ok: code === 0, tally, note: '', output }
}
