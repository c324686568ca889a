import { expectPrevented, expectUnsolved } from '#lib/testing/cases/harmless-cheats.ts'

expectPrevented(['plain-http', 'closed-browser', 'killed-harness'])
expectUnsolved(['control-from-the-page', 'copied-headers', 'behind-the-front', 'killed-harness'])
