import { byDevtools } from './acts/by-devtools.ts'
import { byMachine } from './acts/by-machine.ts'
import { otherClients } from './acts/other-clients.ts'
import type { Cheat } from './cheat.ts'

/** Every known hostile library, in the order they are played. */
export const WORKFLOW_CHEATS: readonly Cheat[] = [...otherClients, ...byDevtools, ...byMachine]
