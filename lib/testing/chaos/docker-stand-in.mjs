#!/usr/bin/env node
// A stand-in for the command line of docker, for machines where no daemon can be started. It speaks the few subcommands
// that tasks in Harbor's format use. An image is a folder with a working folder and what it was made of; a container is a
// copy of it, run in bubblewrap over this machine's own programs. Calls are written down in `calls`.
import { spawn, spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'

const state = process.env.DOCKER_CONFIG ?? ''
const [command = '', ...args] = process.argv.slice(2)
fs.mkdirSync(path.join(state, 'images'), { recursive: true })
fs.mkdirSync(path.join(state, 'containers'), { recursive: true })
fs.appendFileSync(path.join(state, 'calls'), `${JSON.stringify(process.argv.slice(2))}\n`)

const fail = (text, code = 1) => {
  process.stderr.write(`${text}\n`)
  process.exit(code)
}
const say = (text) => process.stdout.write(`${text}\n`)
const json = (file) => JSON.parse(fs.readFileSync(file, 'utf8'))
const copy = (from, to) => fs.cpSync(from, to, { recursive: true, verbatimSymlinks: true })
const images = () => path.join(state, 'images')
const containers = () => path.join(state, 'containers')

/** Stores a root as an image; its name is the digest of a number that was drawn. */
function keep(root, config, tag = null) {
  const id = `sha256:${createHash('sha256').update(randomBytes(16)).digest('hex')}`
  const folder = path.join(images(), id)
  fs.mkdirSync(folder)
  copy(root, path.join(folder, 'root'))
  fs.writeFileSync(path.join(folder, 'config'), JSON.stringify(config))
  if (tag) fs.writeFileSync(path.join(images(), encodeURIComponent(tag)), id)
  return id
}

function find(name) {
  const tagged = path.join(images(), encodeURIComponent(name))
  const id =
    fs.existsSync(tagged) && fs.statSync(tagged).isFile() ? fs.readFileSync(tagged, 'utf8') : name
  return fs.existsSync(path.join(images(), id, 'config')) ? id : null
}

function runLine(line, cwd) {
  const ran = spawnSync('/bin/sh', ['-c', line], { cwd })
  if (ran.status !== 0) fail(`the command '${line}' returned ${ran.status}`)
}

function build() {
  const tag = args.find((arg) => arg.startsWith('--tag='))?.slice('--tag='.length)
  const context = args.at(-1) ?? ''
  const root = fs.mkdtempSync(path.join(state, 'build-'))
  let workdir = '/'
  const inside = (target) => path.join(root, path.posix.resolve(workdir, target))
  for (const line of fs.readFileSync(path.join(context, 'Dockerfile'), 'utf8').split('\n')) {
    const [word, ...rest] = line.trim().split(/\s+/)
    if (word === 'FROM' && rest[0] === 'missing:1') fail('pull access denied for missing')
    if (word === 'WORKDIR') {
      workdir = path.posix.resolve(workdir, rest[0])
      fs.mkdirSync(inside('.'), { recursive: true })
    }
    if (word === 'COPY')
      copy(path.join(context, rest[0]), path.join(inside(rest[1]), path.basename(rest[0])))
    if (word === 'RUN') runLine(rest.join(' '), inside('.'))
  }
  keep(root, { WorkingDir: workdir, Env: ['PATH=/usr/local/bin:/usr/bin:/bin'] }, tag)
}

/** Name and value of the options, and what follows them. */
function readRun() {
  const options = []
  let at = 0
  while (args[at]?.startsWith('--')) options.push(args[at++])
  const all = (name) =>
    options.filter((one) => one.startsWith(`--${name}=`)).map((one) => one.slice(name.length + 3))
  return { all, one: (name) => all(name)[0] ?? null, image: args[at], words: args.slice(at + 1) }
}

/** A container's own folders are what its image has, by the first part of their paths. */
function run() {
  const { all, one, image, words } = readRun()
  const id = find(image)
  if (id === null) fail(`Unable to find image '${image}' locally`, 125)
  const folder = path.join(containers(), one('name'))
  fs.mkdirSync(folder)
  copy(path.join(images(), id, 'root'), path.join(folder, 'root'))
  fs.writeFileSync(path.join(folder, 'image'), id)
  const env = fs
    .readFileSync(one('env-file'), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)])
  const mounts = all('mount').flatMap((text) => {
    const [, source, target, ro] = /^type=bind,"source=(.*)",target=([^,]+)(,readonly)?$/.exec(text)
    return [ro ? '--ro-bind' : '--bind', source, target]
  })
  const own = fs
    .readdirSync(path.join(folder, 'root'))
    .flatMap((name) => ['--bind', path.join(folder, 'root', name), `/${name}`])
  const system = ['usr', 'bin', 'lib', 'lib64', 'etc'].filter((name) => fs.existsSync(`/${name}`))
  const child = spawn(
    'bwrap',
    [
      ...system.flatMap((name) => ['--ro-bind', `/${name}`, `/${name}`]),
      ...['--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp', '--dir', '/run', '--dir', '/home'],
      ...[...own, ...mounts, '--unshare-pid', '--die-with-parent', '--clearenv'],
      ...(one('network') === 'none' ? ['--unshare-net'] : []),
      ...env.flatMap(([name, value]) => ['--setenv', name, value]),
      ...['--chdir', one('workdir'), one('entrypoint'), ...words],
    ],
    { stdio: 'inherit' },
  )
  fs.writeFileSync(path.join(folder, 'pid'), String(child.pid))
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 137 : 1)))
}

const listFiles = (root) =>
  fs
    .readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => path.join(entry.parentPath, entry.name).slice(root.length))

function diff() {
  const folder = path.join(containers(), args[0])
  const before = path.join(images(), fs.readFileSync(path.join(folder, 'image'), 'utf8'), 'root')
  const after = path.join(folder, 'root')
  const old = new Set(listFiles(before))
  const now = new Set(listFiles(after))
  for (const file of now) {
    if (!old.has(file)) say(`A ${file}`)
    else if (!fs.readFileSync(before + file).equals(fs.readFileSync(after + file))) say(`C ${file}`)
  }
  for (const file of old) if (!now.has(file)) say(`D ${file}`)
}

function commit() {
  const folder = path.join(containers(), args.at(-1) ?? '')
  if (!fs.existsSync(folder)) fail('No such container')
  const config = json(
    path.join(images(), fs.readFileSync(path.join(folder, 'image'), 'utf8'), 'config'),
  )
  say(keep(path.join(folder, 'root'), config))
}

function create() {
  const name = randomBytes(6).toString('hex')
  const id = find(args.at(-2)) ?? fail('no such image')
  fs.mkdirSync(path.join(containers(), name))
  copy(path.join(images(), id, 'root'), path.join(containers(), name, 'root'))
  fs.writeFileSync(path.join(containers(), name, 'image'), id)
  say(name)
}

function kill() {
  const file = path.join(containers(), args[0], 'pid')
  if (!fs.existsSync(file)) fail('No such container')
  try {
    process.kill(Number(fs.readFileSync(file, 'utf8')), 'SIGKILL')
  } catch {
    fail('is not running')
  }
}

function inspect() {
  const id = find(args.at(-1))
  if (id === null) fail('No such image')
  say(args.includes('{{.Id}}') ? id : fs.readFileSync(path.join(images(), id, 'config'), 'utf8'))
}

function pull() {
  const name = args.at(-1) ?? ''
  if (!fs.existsSync(path.join(state, 'registry', encodeURIComponent(name))))
    fail(`manifest for ${name} not found`)
  keep(
    path.join(state, 'registry', encodeURIComponent(name)),
    { WorkingDir: '/app', Env: null },
    name,
  )
}

const verbs = {
  version: () => say('99.0-stand-in'),
  build,
  pull,
  run,
  diff,
  commit,
  create,
  kill,
  image: () => (args[0] === 'inspect' ? inspect() : fail('unknown')),
  cp: () => {
    const [name, file] = (args[0] ?? '').split(':')
    fs.copyFileSync(path.join(containers(), name, 'root', file), args[1] ?? '')
  },
  rm: () => fs.rmSync(path.join(containers(), args.at(-1) ?? ''), { recursive: true, force: true }),
  rmi: () => fs.rmSync(path.join(images(), args.at(-1) ?? ''), { recursive: true, force: true }),
  ps: () => {
    const name = /name=\^\/(.*)\$$/.exec(args.join(' '))?.[1]
    for (const one of fs.readdirSync(containers())) if (one === name) say(one)
  },
}
const verb = verbs[command]
if (verb) verb()
else fail(`the stand-in has no ${command}`)
