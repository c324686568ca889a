import { refuseMethod } from '#lib/server/http/read-route.ts'
import { registrationRoute } from '#lib/server/http/registration-route.ts'

export const dynamic = 'force-dynamic'

/** A frozen plan before its first episode, under an upload token or a workflow's identity token. 201 written, 200 known. */
export const POST = registrationRoute()

const refuse = (request: Request) => refuseMethod(request.method, 'POST')

export { refuse as DELETE, refuse as GET, refuse as HEAD, refuse as PATCH, refuse as PUT }
