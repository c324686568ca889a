import { ImageResponse } from 'next/og'
import { drawRow } from '#components/preview/draw-row.tsx'
import { PICTURE_SIZE } from '#components/preview/picture-frame.tsx'
import { findRow } from '#lib/board/find-row.ts'
import { rowPreviewEndpoint } from '#lib/domain/api/endpoints/board.ts'
import { rowPicture } from '#lib/domain/badge/picture-words.ts'
import { AppError } from '#lib/errors.ts'
import { readRoute } from '#lib/http/read-route.ts'
import { respondDrawing } from '#lib/http/respond-drawing.ts'

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = readRoute(
  rowPreviewEndpoint,
  async ({ request, params: { rowId } }) => {
    const found = await findRow(rowId)
    if (!found) throw new AppError('not-found', `no row ${rowId.slice(0, 80)} on any leaderboard`)
    const words = rowPicture(found.row)
    const draw = () => new ImageResponse(drawRow(words), PICTURE_SIZE).arrayBuffer()
    return respondDrawing(request, words, draw)
  },
)
