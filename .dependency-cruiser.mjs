// Allowed imports between folders; lib/testing/violations/tools.int.test.ts checks that violations are reported.
const NODE =
  '^(node:)?(assert|async_hooks|buffer|child_process|crypto|events|fs|http|http2|https|module|net|os|path|perf_hooks|process|readline|stream|timers|tls|tty|url|util|v8|vm|worker_threads|zlib)(/|$)'
const TEST = '\\.(test|e2e)\\.(ts|tsx)$|^lib/testing/'
const FIXTURE = '\\.fixture\\.ts$'
const SETUP = '^lib/setup/'
/** Optional parts: each is imported only by itself and by the files that register it. */
const EXTRAS = [
  {
    part: '^runner/(audit|change|github|harbor|mcp|skill|kinds/harbor|suites/(mine|mutate))/|^lib/domain/change/',
    registered: '^runner/(kinds/extra-kinds|cli/extra-commands)\\.ts$|^runner/bench/',
  },
  {
    part: '^lib/domain/archive/',
    registered:
      '^lib/server/(care|static|console)/|^components/site/|^lib/domain/api/(schemas|endpoints/ledger)\\.ts$',
  },
  { part: '^lib/server/static/', registered: '^lib/server/console/board-command\\.ts$' },
  { part: '^lib/worker/executors/', registered: '^lib/worker/execute-job\\.ts$' },
  { part: '^components/report/', registered: '^app/\\(board\\)/reports/|^components/site/' },
]
const USE_CASES = '^lib/(server/(?!console/)|worker/)'

/** Files in `from` may import only `allowed`. */
const only = (name, from, allowed, comment) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from, pathNot: TEST },
  to: { pathNot: allowed },
})

/** Files in `from` must not import `to`. */
const never = (name, from, to, comment) => ({ name, comment, severity: 'error', from, to })

export default {
  forbidden: [
    only(
      'domain-is-pure',
      '^lib/domain/',
      // The price table is data with one pure function, which gets the time as an argument.
      ['^lib/domain/', '^node_modules/(zod|@noble/hashes|@pydantic/genai-prices|sax)/'],
      'The core knows no clock, no disk, no framework: it imports zod, hashes, prices and itself.',
    ),
    {
      name: 'modules-have-one-face',
      comment:
        'A module of the core is asked through its index.ts; only its own files look behind it.',
      severity: 'error',
      from: {
        path: '^(app|components|lib/(?!domain/)[^/]+|runner|exercises)/',
        pathNot: [TEST, FIXTURE],
      },
      // Measured values are data.
      to: { path: '^lib/domain/[^/]+/(?!index\\.ts$)', pathNot: '\\.json$' },
    },
    {
      name: 'modules-ask-faces',
      comment: 'One module of the core asks another through its index.ts.',
      severity: 'error',
      from: { path: '^lib/domain/([^/]+)/', pathNot: [TEST, FIXTURE] },
      to: { path: '^lib/domain/[^/]+/(?!index\\.ts$)', pathNot: '^lib/domain/$1/' },
    },
    only(
      'texts-know-no-records',
      '^lib/domain/(digest|settings|text)/',
      ['^lib/domain/(digest|settings|text)/', '^node_modules/'],
      'Records are made of texts, digests and settings, not the other way round.',
    ),
    never(
      'no-score-reads-transcripts',
      {
        path: '^lib/domain/(digest|text|settings|record|eligibility|board|statistics|compare|ledger|planner|reports|archive)/|^lib/db/|^lib/worker/',
        pathNot: TEST,
      },
      { path: '^lib/domain/transcript/' },
      'What scanners notice is for people: no rule of evidence, score or rank may depend on it.',
    ),
    only(
      'db-knows-domain',
      '^lib/db/',
      [
        '^lib/(db|domain)/',
        '^lib/(env|errors|log|process-wide)\\.ts$',
        '^node_modules/(@prisma|@photostructure|pg|zod)/',
        NODE,
      ],
      'Rows in, domain values out.',
    ),
    only(
      'runner-knows-domain',
      '^runner/',
      [
        '^runner/',
        '^lib/(domain|outgoing|site)/',
        // Types only, of the input for static pages.
        '^components/site/site-input\\.ts$',
        // Types only, of the interface between the verifier and scenarios.
        '^exercises/held-out\\.ts$',
        '^lib/setup/(ensure-installed|bundle|folders|host|layout|load-program|outlive-readers|progress|take-keys|ensure-browser)\\.mjs$',
        '^node_modules/',
        NODE,
      ],
      'Runner and app meet in the envelope and the command line, not in code.',
    ),
    ...EXTRAS.map(({ part, registered }) =>
      never(
        'core-knows-no-extras',
        { path: '^(app|components|lib|runner)/', pathNot: [part, registered, TEST] },
        { path: part },
        'Plan, run, seal, judge, ingest and rank work without audits, mining, mutation, Harbor, GitHub, MCP, archives and executors.',
      ),
    ),
    never(
      'kinds-do-not-meet',
      { path: '^runner/kinds/([^/]+)/', pathNot: TEST },
      { path: '^runner/kinds/[^/]+/', pathNot: '^runner/kinds/$1/' },
      'A kind knows nothing of another one; what several share is beside their folders.',
    ),
    only(
      'components-know-domain',
      '^components/',
      ['^components/', '^lib/domain/', '^node_modules/'],
      'Components draw what they are given.',
    ),
    only(
      'every-page-has-it',
      '^components/ui/behaviour/',
      ['^components/ui/(behaviour/|(download|keyboard)\\.ts$)'],
      'The script of every page stays small: it imports nothing that a page may do without.',
    ),
    never(
      'links-load-pages',
      { path: '^(app|components)/' },
      { path: '^node_modules/next/(dist/client/app-dir/)?link\\.js$' },
      'A link is an <a>: a page without interaction has no router.',
    ),
    never(
      'prices-stay-on-the-server',
      { path: '^components/|^app/.*error\\.tsx$' },
      { path: '^node_modules/@pydantic/|^lib/domain/prices/', reachable: true },
      'Two megabytes of prices have no business in a browser: components are given the quote.',
    ),
    only(
      'workflows-know-the-surface',
      '^exercises/',
      [
        '^exercises/browser/',
        '^runner/libraries/(action-surface|driver)\\.ts$',
        '^node_modules/(preact|htm)/',
        NODE,
      ],
      'An app knows nothing of the harness; a driver knows the action surface and nothing else.',
    ),
    never(
      'exercises-are-data',
      { path: '^(app|components|lib|runner|prisma)/' },
      // The types of a scenario are the interface between the verifier and scenarios.
      { path: '^exercises/', pathNot: '^exercises/held-out\\.ts$' },
      'Exercises are read as files, never imported.',
    ),
    only(
      'setup-stands-alone',
      SETUP,
      [SETUP, '^node_modules/', NODE],
      'It runs before anything is installed or built.',
    ),
    never(
      'setup-is-for-commands',
      {
        path: '^(app|components|lib)/',
        pathNot: [SETUP, '^lib/(worker/worker|server/console/console)\\.mjs$', '^lib/site/', TEST],
      },
      // The name of this machine, what this user may write, and the exit code of a server that is not restarted: the
      // runner or the launchers need them too.
      { path: SETUP, pathNot: '^lib/setup/(host|folders|serve/exit-codes)\\.mjs$' },
      'Only commands reach into the set-up.',
    ),
    only(
      'site-is-a-bridge',
      '^lib/site/',
      [
        '^lib/site/',
        '^components/site/site-input\\.ts$',
        '^lib/setup/pages/make-pages\\.mjs$',
        NODE,
      ],
      'It loads the program that draws pages, and writes what that draws.',
    ),
    never(
      'lib-never-looks-up',
      { path: '^lib/', pathNot: TEST },
      { path: '^(app|components)/', pathNot: '^components/site/site-input\\.ts$' },
      'Use-cases do not know who asks.',
    ),
    never(
      'app-asks-use-cases',
      { path: '^(app|components)/', pathNot: TEST },
      { path: '^lib/db/' },
      'Pages ask use-cases, never the database.',
    ),
    never(
      'use-cases-are-plain',
      { path: USE_CASES, pathNot: TEST },
      { path: '^node_modules/(react|react-dom)/' },
      'A use-case answers values, not markup.',
    ),
    never(
      'prisma-lives-in-db',
      { pathNot: ['^lib/db/', '^prisma/', '^prisma\\.config\\.ts$', TEST] },
      { path: '^lib/db/generated/|^node_modules/(@prisma|prisma|@photostructure|pg)/' },
      'One room knows how rows are stored.',
    ),
    never(
      'no-imports-of-the-runner',
      { pathNot: ['^runner/', '^exercises/browser/', TEST] },
      { path: '^runner/' },
      'The worker spawns its command line and reads what it seals.',
    ),
    never(
      'the-console-is-an-end',
      { pathNot: ['^lib/server/console/', TEST] },
      { path: '^lib/server/console/' },
      'A command line calls use-cases; no other room imports it.',
    ),
    never(
      'the-worker-is-an-end',
      { pathNot: ['^lib/worker/', '^lib/server/console/', TEST] },
      { path: '^lib/worker/' },
      'The worker calls use-cases; a page queues a job and reads what became of it.',
    ),
    only(
      'console-asks-use-cases',
      '^lib/server/console/',
      ['^lib/(?!db/|testing/|setup/)', SETUP, '^node_modules/(commander|zod)/', NODE],
      'Arguments in, words and an exit code out.',
    ),
    never(
      'one-place-spawns',
      {
        path: '^(app|components|lib|runner)/',
        pathNot: [
          '^runner/sandbox/process/',
          '^runner/verify/exercise/',
          '^runner/bench/',
          // A socket for both directions, and a pipe whose end closes a container: no package provides them.
          '^runner/sandbox/isolation/docker/(open-bridge|hold-network)\\.ts$',
          // Hostile libraries deliberately leave processes behind.
          '^runner/workflow/cheats/acts/',
          '^lib/processes/',
          '^lib/worker/executors/',
          SETUP,
          TEST,
        ],
      },
      { path: '^(node:)?child_process$|^node_modules/execa/' },
      'Who starts a process stops its whole tree.',
    ),
    never(
      'no-test-code-in-product',
      { pathNot: TEST },
      { path: TEST },
      'Nothing shipped may lean on a test.',
    ),
    never(
      'no-cycles',
      {},
      { circular: true, viaOnly: { pathNot: '^node_modules/' } },
      'One datum travels one way.',
    ),
    never(
      'no-unresolved',
      { pathNot: '^node_modules/' },
      { couldNotResolve: true, pathNot: '^lib/db/generated/' },
      'What is imported must be there.',
    ),
    never(
      'no-undeclared-package',
      { path: '^(app|components|exercises|lib|runner)/' },
      { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
      'What is imported stands in package.json.',
    ),
  ],
  options: {
    tsPreCompilationDeps: true,
    // The project of the planted violations uses our packages through a link.
    preserveSymlinks: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    // Client modules are served to browsers by an app, with addresses of that server.
    exclude: {
      path: '^lib/db/generated/.*/|^\\.next/|/fixtures/|^exercises/browser/apps/[^/]+/client/',
    },
    enhancedResolveOptions: {
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      exportsFields: ['exports'],
      mainFields: ['module', 'main', 'types'],
    },
  },
}
