#!/usr/bin/env node
// Replaces Prisma's native schema engine where the CLI cannot download it: speaks the CLI's JSON-RPC on stdio and runs
// @prisma/schema-engine-wasm with the SQLite driver adapter. Needed only to write or check migrations (`prisma
// generate` only checks that it exists): PRISMA_SCHEMA_ENGINE_BINARY=./prisma/schema-engine.mjs npx prisma …
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { bundleEntry } from '../lib/setup/bundle.mjs'

const METHODS = new Set([
  'applyMigrations',
  'createMigration',
  'dbExecute',
  'devDiagnostic',
  'diagnoseMigrationHistory',
  'diff',
  'ensureConnectionValidity',
  'evaluateDataLoss',
  'markMigrationApplied',
  'markMigrationRolledBack',
  'schemaPush',
])

const { values, positionals } = parseArgs({
  allowPositionals: true,
  strict: false,
  options: {
    datamodels: { type: 'string', multiple: true },
    datasource: { type: 'string' },
    version: { type: 'boolean' },
  },
})
const url = values.datasource ? JSON.parse(values.datasource).url : undefined
const file = url?.replace(/^file:/, '')
const datamodels = values.datamodels?.map((path) => [path, readFileSync(path, 'utf8')])
/** Open connections of the engine, which are closed at the end so that no journal is left. */
const connections = new Set()
let errors

if (values.version) console.log('schema-engine-wasm (prisma/schema-engine.mjs)')
else if (positionals[0] === 'cli') await answerConnectionCheck()
else serve()

/** `cli can-connect-to-database | create-database`: with SQLite, connecting creates the file. */
async function answerConnectionCheck() {
  try {
    await (await (await adapter()).connect()).dispose()
  } catch (error) {
    const fields = {
      message: String(error?.message ?? error),
      error_code: 'P1001',
      is_panic: false,
    }
    const timestamp = new Date().toISOString()
    console.error(
      JSON.stringify({ timestamp, level: 'ERROR', target: 'schema_engine::logger', fields }),
    )
    process.exitCode = 1
  }
}

function serve() {
  let engine
  let queue = Promise.resolve()
  const lines = createInterface({ input: process.stdin, crlfDelay: Infinity })
  lines.on('line', (line) => {
    const { id, method, params } = JSON.parse(line)
    if (!method) return // the CLI's response to a `print`
    queue = queue.then(async () => {
      try {
        engine ??= await startEngine()
        send({ id, result: await call(engine, method, params) })
      } catch (error) {
        send({ id, error: describe(error) })
      }
    })
  })
  const stop = () => queue.finally(closeAll).then(() => process.exit(0))
  lines.on('close', stop)
  process.on('SIGTERM', stop) // how the CLI ends its engine
}

async function call(engine, method, params) {
  if (method === 'getDatabaseVersion') return engine.version(params)
  if (method === 'createDatabase') return { databaseName: '' }
  if (method === 'reset') return reset()
  if (!METHODS.has(method)) throw new Error(`unsupported method ${method}`)
  await prepare(engine, method, params)
  const result = (await engine[method](params)) ?? {}
  if (method !== 'diff' || result.stdout == null) return result
  send({ id: 'print', method: 'print', params: { content: result.stdout } })
  return { ...result, stdout: null }
}

/** Steps that the native engine does itself and the wasm engine does not. */
async function prepare(engine, method, params) {
  if (method === 'devDiagnostic' || method === 'diagnoseMigrationHistory') {
    // It fails without _prisma_migrations; applying an empty list creates that table.
    const nothing = {
      migrationsList: { ...params.migrationsList, migrationDirectories: [] },
      filters: params.filters,
    }
    await engine.applyMigrations(nothing).catch((error) => {
      if (error?.code !== 'P3005') throw error
    })
  }
  // The shadow database exists only in devDiagnostic; these two use its cached result.
  if (method === 'evaluateDataLoss' || method === 'createMigration') {
    await engine.devDiagnostic({ migrationsList: params.migrationsList, filters: params.filters })
  }
}

/** The wasm engine's own reset leaves SQLite's tables in place: remove the file, as the native engine does. */
async function reset() {
  for (const connection of connections) {
    await connection.reconnect(() => {
      for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(file + suffix, { force: true })
    })
  }
  return {}
}

async function startEngine() {
  const bg = await import('@prisma/schema-engine-wasm/schema_engine_bg')
  const { bindMigrationAwareSqlAdapterFactory } = await import('@prisma/driver-adapter-utils')
  const entry = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm')
  const wasm = new WebAssembly.Module(
    readFileSync(entry.replace(/schema_engine\.js$/, 'schema_engine_bg.wasm')),
  )
  const { exports } = new WebAssembly.Instance(wasm, { './schema_engine_bg.js': bg })
  bg.__wbg_set_wasm(exports)
  exports.__wbindgen_start()
  globalThis.PRISMA_WASM_PANIC_REGISTRY ??= { set_message() {} }
  const factory = bindMigrationAwareSqlAdapterFactory(scriptable(await adapter()))
  errors = factory.errorRegistry
  return bg.SchemaEngine.new({ datamodels }, () => {}, factory)
}

async function adapter() {
  const { SqliteDriver } = await import(
    pathToFileURL(await bundleEntry('lib/db/sqlite-driver.ts')).href
  )
  if (file && file !== ':memory:') mkdirSync(dirname(file), { recursive: true })
  return new SqliteDriver(file ?? ':memory:', 5000)
}

/** The engine replays whole scripts through executeRaw, which takes one statement: send those through executeScript. */
function scriptable(factory) {
  const wrap = (make) => async () => {
    let connection = await make()
    const own = {
      executeRaw: async (query) => {
        if (query.args?.length) return connection.executeRaw(query)
        await connection.executeScript(query.sql)
        return 0
      },
      reconnect: async (between) => {
        await connection.dispose()
        await between()
        connection = await make()
      },
    }
    const get = (_, key) => own[key] ?? bound(connection, key)
    const proxy = new Proxy({}, { get })
    connections.add(proxy)
    return proxy
  }
  factory.connect = wrap(factory.connect.bind(factory))
  factory.connectToShadowDb = wrap(factory.connectToShadowDb.bind(factory))
  return factory
}

function bound(target, key) {
  return typeof target[key] === 'function' ? target[key].bind(target) : target[key]
}

function describe(error) {
  const id = /External error id#(\d+)/.exec(error?.message ?? '')?.[1]
  const cause = id && errors ? errors.consumeError(Number(id))?.error : error
  const message = String(cause?.message ?? cause)
  const data = { is_panic: false, message, error_code: error?.code, meta: error?.meta }
  return { code: 4466, message: 'An error happened. Check the data field for details.', data }
}

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
}

async function closeAll() {
  await Promise.allSettled([...connections].map((connection) => connection.dispose()))
}
