import { changeExample, readExampleForm } from '#lib/server/example/make-example.ts'
import { writeRoute } from '#lib/server/http/write-route.ts'

export const dynamic = 'force-dynamic'

/** Shows, leaves or removes an example board. A form with its own address, because the whole page has to be reloaded. */
export const POST = writeRoute({
  role: 'admin',
  scope: 'runs:write',
  read: readExampleForm,
  run: async ({ input, actor }) => changeExample(input, actor),
})
