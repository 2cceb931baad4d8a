/** Packs one flat folder as an asar archive: a Pickle of the JSON file table, then the files' bytes. */
import fs from 'node:fs'
import path from 'node:path'

const ALIGN = 4

/**
 * @param {string} dir a folder with files only
 * @returns {Buffer} the archive
 */
export function packFlatAsar(dir) {
  const files = {}
  const bodies = []
  let offset = 0
  for (const name of fs.readdirSync(dir).sort()) {
    const body = fs.readFileSync(path.join(dir, name))
    files[name] = { size: body.length, offset: String(offset) }
    bodies.push(body)
    offset += body.length
  }
  const table = Buffer.from(JSON.stringify({ files }))
  const tableSize = Math.ceil(table.length / ALIGN) * ALIGN
  const header = Buffer.alloc(16 + tableSize)
  // Two nested pickles: the first holds the size of the second, the second holds the table as a string.
  header.writeUInt32LE(4, 0)
  header.writeUInt32LE(8 + tableSize, 4)
  header.writeUInt32LE(4 + tableSize, 8)
  header.writeUInt32LE(table.length, 12)
  table.copy(header, 16)
  return Buffer.concat([header, ...bodies])
}
