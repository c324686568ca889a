import { createLoader, parseAsString } from 'nuqs/server'

/** The reports' view state in the URL. */
export const loadReportView = createLoader({ suite: parseAsString })
