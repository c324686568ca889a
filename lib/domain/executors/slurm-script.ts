import type { SlurmSettings } from './executor-settings.ts'
import { engineName, type RemoteManifest, shardArguments } from './manifest.ts'
import { RUN_TOKEN_VARIABLE } from './remote-report.ts'

type Place = {
  /** The run's own folder below the shared one. */
  folder: string
  /** How a node starts Proofboard. */
  command: readonly string[]
}

/** Where the token of a run is stored, readable by its owner only. */
export const SLURM_TOKEN_FILE = 'token'

/**
 * The array job of a run: one task for each shard, by its number. A shard that fails puts itself back in the queue
 * (`scontrol requeue`), as Slurm itself does when a node dies, until it has had its tries; exit code 2 is final.
 */
export function slurmScript(
  manifest: RemoteManifest,
  settings: SlurmSettings,
  { folder, command }: Place,
): string {
  const { shards } = manifest
  const { retries, secrets } = settings
  const words = [...command, ...shardArguments(manifest)].map(quote).join(' ')
  const read = (variable: string, file: string) =>
    `IFS= read -r ${variable} < ${quote(file)} || [ -n "$${variable}" ]; export ${variable}`
  return [
    '#!/bin/bash',
    `#SBATCH --job-name=${engineName(manifest)}`,
    ...optionsOf(settings, shards).map((option) => `#SBATCH ${option}`),
    `#SBATCH --chdir=${folder}`,
    `#SBATCH --output=${folder}/shard-%a.log`,
    '#SBATCH --open-mode=append',
    '#SBATCH --requeue',
    // Proofboard's own environment is not a shard's.
    '#SBATCH --export=NIL',
    // A task that is cancelled has a moment to store what it finished.
    '#SBATCH --signal=B:TERM@60',
    'set -u',
    'umask 077',
    `export PATH="\${PATH:-/usr/local/bin:/usr/bin:/bin}" HOME="\${HOME:-$PWD}"`,
    read(RUN_TOKEN_VARIABLE, `${folder}/${SLURM_TOKEN_FILE}`),
    ...secrets.map(({ variable, file }) => read(variable, file)),
    `export PROOFBOARD_HOST="\${SLURMD_NODENAME:-$HOSTNAME}"`,
    `export PROOFBOARD_DATA_DIR=${quote(`${folder}/data`)}-"$SLURM_ARRAY_TASK_ID"`,
    `${words} --shard "$SLURM_ARRAY_TASK_ID" --out ${quote(`${folder}/shard`)}-"$SLURM_ARRAY_TASK_ID" &`,
    'child=$!',
    'stopped=0',
    'trap \'stopped=1; kill -TERM "$child" 2>/dev/null\' TERM',
    'wait "$child"; code=$?',
    '# A signal ends the first wait before the child has ended.',
    'while kill -0 "$child" 2>/dev/null; do wait "$child"; code=$?; done',
    `if [ "$code" -ne 0 ] && [ "$code" -ne 2 ] && [ "$stopped" -eq 0 ] && [ "\${SLURM_RESTART_COUNT:-0}" -lt ${retries} ]; then`,
    `  scontrol requeue "\${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID"`,
    'fi',
    'exit "$code"',
    '',
  ].join('\n')
}

function optionsOf(settings: SlurmSettings, shards: number): string[] {
  const { partition, account, qos, cpus, memory, hours, parallelism } = settings
  const most = parallelism !== undefined && parallelism < shards ? `%${parallelism}` : ''
  return [
    `--array=1-${shards}${most}`,
    `--cpus-per-task=${cpus}`,
    `--mem=${memory}`,
    `--time=${hours}:00:00`,
    ...(partition ? [`--partition=${partition}`] : []),
    ...(account ? [`--account=${account}`] : []),
    ...(qos ? [`--qos=${qos}`] : []),
  ]
}

/** One word for bash, quoted. */
function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}
