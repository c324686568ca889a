/**
 * Returns the content security policy of one response. Scripts run only with this response's nonce, or when such a
 * script loads them. Style elements need the nonce too; `style` attributes are allowed, because charts, bars and React
 * itself position elements by them: they can paint, not run.
 */
export function pagePolicy(nonce: string, isDevelopment: boolean): string {
  const own = `'self' 'nonce-${nonce}'`
  const directives = {
    'default-src': "'self'",
    // React's development build explains errors with eval.
    'script-src': `${own} 'strict-dynamic'${isDevelopment ? " 'unsafe-eval'" : ''}`,
    // The development server's style elements have no nonce.
    'style-src': isDevelopment ? "'self' 'unsafe-inline'" : own,
    'style-src-attr': "'unsafe-inline'",
    'img-src': "'self' data:",
    'font-src': "'none'",
    'connect-src': "'self'",
    'worker-src': "'self'",
    'frame-src': "'none'",
    'frame-ancestors': "'none'",
    'form-action': "'self'",
    'base-uri': "'none'",
    'object-src': "'none'",
  }
  return Object.entries(directives)
    .map(([name, value]) => `${name} ${value}`)
    .join('; ')
}

const PLAUSIBLE = /^[\w.:/+=-]{8,128}$/

/** Returns the id that a proxy gave a request if it is plausible, else a new one. */
export function chooseRequestId(given: string | null): string {
  return given !== null && PLAUSIBLE.test(given) ? given : crypto.randomUUID()
}
