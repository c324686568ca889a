/** The page that is seen, in CSS pixels; the window's own frame comes on top of it. */
export const VIEW = { width: 1280, height: 800 }

/** Whether Chromium has to do without its sandbox: it refuses to start as root with it. */
export function mustGoUnsandboxed(own: Readonly<Record<string, string | undefined>>): boolean {
  return own.PROOFBOARD_CHROMIUM_NO_SANDBOX === '1' || process.getuid?.() === 0
}

/**
 * How every browser of the house is started: headless, a fresh profile, a debugging port that the system chooses, and
 * no way to anywhere but this machine.
 */
export function chromiumArguments(options: { profile: string; noSandbox: boolean }): string[] {
  return [
    '--headless=new',
    '--remote-debugging-port=0',
    `--user-data-dir=${options.profile}`,
    ...(options.noSandbox ? ['--no-sandbox'] : []),
    // Nothing is resolved but this machine's own names; addresses in numbers go to a proxy that is not there.
    '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE *.localhost, EXCLUDE 127.0.0.1',
    '--proxy-server=http://127.0.0.1:9',
    '--proxy-bypass-list=localhost;*.localhost;127.0.0.1',
    '--disable-background-networking',
    '--disable-breakpad',
    '--disable-client-side-phishing-detection',
    '--disable-component-extensions-with-background-pages',
    '--disable-component-update',
    '--disable-default-apps',
    '--disable-dev-shm-usage',
    '--disable-domain-reliability',
    '--disable-extensions',
    '--disable-features=OptimizationHints,MediaRouter,Translate,AutofillServerCommunication,DialMediaRouteProvider',
    '--disable-gpu',
    '--disable-quic',
    '--disable-search-engine-choice-screen',
    '--disable-sync',
    '--force-color-profile=srgb',
    '--hide-scrollbars',
    '--lang=en-US',
    '--metrics-recording-only',
    '--mute-audio',
    '--no-default-browser-check',
    '--no-first-run',
    '--no-pings',
    '--password-store=basic',
    '--use-mock-keychain',
    // A hidden tab must not be slower than a shown one: libraries differ in which one they show.
    '--disable-background-timer-throttling',
    '--disable-backgrounding-occluded-windows',
    '--disable-renderer-backgrounding',
    `--window-size=${VIEW.width},${VIEW.height}`,
    'about:blank',
  ]
}
