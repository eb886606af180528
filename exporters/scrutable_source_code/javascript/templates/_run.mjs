// Runs an exported module on rows: `common/transfer.py` is the other side.
// No exported file is called so: their names begin with a letter.
import { readFileSync, writeFileSync } from "node:fs";

const [file, name] = process.argv.slice(2);
const rows_of = (await import(`./${file}`))[`${name}_rows`];
const content = readFileSync("rows.bin");
let at = 0;

function integer() {
    at += 4;
    return content.readInt32LE(at - 4);
}

function text() {
    const size = integer();
    if (size < 0) return null;
    at += size;
    return content.toString("utf8", at - size, at);
}

function column(count) {
    if (integer() === 0) {
        at += 8 * count;
        return Array.from({ length: count }, (_, row) => content.readDoubleLE(at - 8 * (count - row)));
    }
    const texts = Array.from({ length: integer() }, text);
    return Array.from({ length: count }, () => texts[integer()]);
}

const [count, width, told] = [integer(), integer(), integer()];
const kinds = Array.from({ length: told }, integer);
const columns = Array.from({ length: width }, () => [text(), column(count)]);
const rows = Array.from({ length: count }, (_, row) => new Map(columns.map(([key, values]) => [key, values[row]])));
const results = Array.from(rows_of(rows), Object.values);
if (results.some((each) => each.length !== told)) throw new Error("other results than were exported");

const parts = [];
for (let place = 0; place < told; place++) {
    for (const values of results) {
        const value = values[place];
        if (kinds[place] === 0) {
            const bytes = Buffer.alloc(8);
            bytes.writeDoubleLE(value);
            parts.push(bytes);
        } else {
            const size = Buffer.alloc(4);
            const bytes = Buffer.from(value ?? "", "utf8");
            size.writeInt32LE(value === null ? -1 : bytes.length);
            parts.push(size, bytes);
        }
    }
}
writeFileSync("results.bin", Buffer.concat(parts));
