import { z } from 'zod'

/** Whoever injects a fault: the app's server, the harness through its own connection, the proxy before the browser. */
export const BROWSER_FAULTS = {
  stall: { by: 'app', what: 'the answer comes 3 s late' },
  'server-error': { by: 'app', what: 'the request is answered with 500, once' },
  'slow-dom': { by: 'app', what: 'the next page builds itself up over 2 s' },
  're-render': {
    by: 'app',
    what: 'the page replaces its elements between looking and acting, for under 2 s',
  },
  overlay: { by: 'app', what: 'a notice covers the page until it is dismissed' },
  'session-expiry': { by: 'app', what: 'the session ends, so that the user has to sign in again' },
  'lost-response': { by: 'app', what: 'the change is made, the answer to it is lost' },
  'renderer-crash': { by: 'browser', what: "the page's process dies" },
  'closed-tab': { by: 'browser', what: 'the tab is closed' },
  dialog: { by: 'browser', what: 'an alert opens' },
  'dropped-connection': { by: 'proxy', what: 'the debugging connection breaks' },
} as const

export const BROWSER_FAULT_KINDS = Object.keys(BROWSER_FAULTS) as [
  BrowserFaultKind,
  ...BrowserFaultKind[],
]
export type BrowserFaultKind = keyof typeof BROWSER_FAULTS
export const browserFaultKindSchema = z.enum(BROWSER_FAULT_KINDS)
