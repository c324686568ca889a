import { pathToFileURL } from 'node:url'
import type { BrowserActions } from '../action-surface.ts'
import type { Driver, Step } from '../driver.ts'
import type { HostOrder } from '../host-protocol.ts'
import { type Played, playDriver } from '../play-driver.ts'
import { traceActions } from './trace-actions.ts'

type Scripted = Extract<HostOrder['drive'], { kind: 'scripted' }>

/** Plays the bundled driver of an order over a connected library. Throws when the driver module is none. */
export async function playScripted(
  order: HostOrder,
  drive: Scripted,
  actions: BrowserActions,
  tools: Parameters<typeof traceActions>[2] & { log: (line: string) => void },
): Promise<Played> {
  const { origin, files } = order
  const steps = stepsOf(await import(pathToFileURL(drive.driverPath).href), drive.wrong)
  const { page, trace } = traceActions(actions, order, tools)
  return playDriver({
    steps,
    page,
    trace,
    facts: { origin, files, notes: new Map() },
    log: tools.log,
  })
}

/** The driver comes from a bundle of our own; only its shape is looked at. */
function stepsOf({ driver }: { driver?: Driver }, wrong: string | null): readonly Step[] {
  const steps = wrong === null ? driver?.steps : driver?.wrong[wrong]
  if (!Array.isArray(steps) || steps.length === 0)
    throw new Error(
      wrong === null ? 'the driver has no steps' : `the driver has no wrong “${wrong}”`,
    )
  return steps
}
