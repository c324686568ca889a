import { expectHarmless } from '#lib/testing/cases/harmless-cheats.ts'

expectHarmless({
  sandboxed: ['plain-http', 'closed-browser', 'killed-harness'],
  local: ['copied-headers', 'behind-the-front', 'killed-harness'],
})
