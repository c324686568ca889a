/**
 * The content security policy of one answer. Scripts run by this answer's nonce alone, or when such a script loads
 * them. Style elements need the nonce too; `style` attributes are allowed, because charts, bars and React itself place
 * things by them: they can paint, not run.
 */
export function pagePolicy(nonce: string, isDevelopment: boolean): string {
  const own = `'self' 'nonce-${nonce}'`
  const directives = {
    'default-src': "'self'",
    // React's development build explains errors by way of eval.
    'script-src': `${own} 'strict-dynamic'${isDevelopment ? " 'unsafe-eval'" : ''}`,
    // The development server's style elements know no nonce.
    'style-src': isDevelopment ? "'self' 'unsafe-inline'" : own,
    'style-src-attr': "'unsafe-inline'",
    'img-src': "'self' data:",
    'font-src': "'self'",
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

/** The id a proxy before us gave a request when it is a plausible one, else a new one. */
export function chooseRequestId(given: string | null): string {
  return given !== null && PLAUSIBLE.test(given) ? given : crypto.randomUUID()
}
