import { subjectEndpoint } from '#lib/domain/api/index.ts'
import { AppError } from '#lib/errors.ts'
import { getSubject } from '#lib/server/board/rows.ts'
import { readRoute } from '#lib/server/http/read-route.ts'

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = readRoute(
  subjectEndpoint,
  async ({ params: { subjectId } }) => {
    const subject = await getSubject(subjectId)
    if (!subject)
      throw new AppError('not-found', `no subject ${subjectId.slice(0, 80)} is stored here`)
    return subject
  },
)
