import { createLoader, parseAsStringLiteral } from 'nuqs/server'
import { ITEM_KINDS } from '#lib/domain/ingest/upload-preview.ts'

/** The filter of the episodes of a preview, stored in the URL. */
export const loadUploadFilter = createLoader({ kind: parseAsStringLiteral(ITEM_KINDS) })
