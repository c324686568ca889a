import type { OpenGateway } from './gateway-port.ts'

/** What is there when no gateway is: nobody counts, and an agent that has to be metered refuses to start. */
export const UNMETERED: OpenGateway | null = null
