import type { Prisma, PrismaClient } from './generated/sqlite/client.ts'

/** Prisma client. Both databases use the same models, so SQLite's types serve both. */
export type Db = PrismaClient
/** Client inside a transaction; a client outside of one can disconnect. */
export type Tx = Prisma.TransactionClient & { $disconnect?: never }
/** Client inside or outside a transaction. */
export type DbOrTx = PrismaClient | Prisma.TransactionClient
