import { byDevtools } from './acts/by-devtools.ts'
import { byMachine } from './acts/by-machine.ts'
import { otherClients } from './acts/other-clients.ts'
import type { Cheat } from './cheat.ts'

/** Every hostile library that we know, in the order in which they are played. */
export const WORKFLOW_CHEATS: readonly Cheat[] = [...otherClients, ...byDevtools, ...byMachine]
