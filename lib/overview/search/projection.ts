/** Computes the leading singular directions of a large sparse square matrix by random projection. */

/** The values of row r and their columns are at the indexes from starts[r] to starts[r + 1]. */
export interface SparseRows {
  starts: number[];
  columns: number[];
  values: number[];
}

/** Extra directions, which make the requested ones accurate. */
const spare = 16;
const iterations = 2;

/**
 * Returns a row for each row of the matrix: its coordinates along the `count` leading directions, each scaled by the
 * square root of its singular value.
 */
export function leadingDirections(rows: SparseRows, size: number, count: number): Float32Array {
  const width = Math.min(count + spare, Math.max(1, size));
  const sparse = compact(rows);
  let sketch = multiply(sparse, size, randomSigns(size * width), width);
  for (let n = 0; n < iterations; n++) {
    orthonormalize(sketch, size, width);
    sketch = multiply(sparse, size, multiplyTransposed(sparse, size, sketch, width), width);
  }
  orthonormalize(sketch, size, width);
  const reduced = multiplyTransposed(sparse, size, sketch, width);
  const { values, vectors } = eigen(gram(reduced, size, width), width);
  const order = [...values.keys()].sort((a, b) => values[b]! - values[a]!).slice(0, count);
  const result = new Float32Array(size * count);
  for (let row = 0; row < size; row++) {
    for (const [to, from] of order.entries()) {
      let sum = 0;
      for (let k = 0; k < width; k++) sum += sketch[row * width + k]! * vectors[k * width + from]!;
      // The eigenvalues are the squares of the singular values.
      result[row * count + to] = sum * Math.max(0, values[from]!) ** 0.25;
    }
  }
  return result;
}

interface Compact {
  starts: Int32Array;
  columns: Int32Array;
  values: Float32Array;
}

const compact = ({ starts, columns, values }: SparseRows): Compact => ({
  starts: Int32Array.from(starts),
  columns: Int32Array.from(columns),
  values: Float32Array.from(values),
});

function multiply({ starts, columns, values }: Compact, size: number, dense: Float32Array, width: number) {
  const result = new Float32Array(size * width);
  for (let row = 0; row < size; row++) {
    const to = row * width;
    for (let at = starts[row]!; at < starts[row + 1]!; at++) {
      const from = columns[at]! * width;
      const value = values[at]!;
      for (let k = 0; k < width; k++) result[to + k]! += value * dense[from + k]!;
    }
  }
  return result;
}

function multiplyTransposed(
  { starts, columns, values }: Compact,
  size: number,
  dense: Float32Array,
  width: number,
) {
  const result = new Float32Array(size * width);
  for (let row = 0; row < size; row++) {
    const from = row * width;
    for (let at = starts[row]!; at < starts[row + 1]!; at++) {
      const to = columns[at]! * width;
      const value = values[at]!;
      for (let k = 0; k < width; k++) result[to + k]! += value * dense[from + k]!;
    }
  }
  return result;
}

/** Deterministic, so that the same clauses always give the same result. */
function randomSigns(length: number): Float32Array {
  let state = 0x9e3779b9;
  return Float32Array.from({ length }, () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state & 1 ? 1 : -1;
  });
}

/** The modified Gram-Schmidt process. A column that depends on those before it becomes zero. */
function orthonormalize(dense: Float32Array, size: number, width: number): void {
  for (let column = 0; column < width; column++) {
    const before = norm(dense, size, width, column);
    for (let other = 0; other < column; other++) {
      let dot = 0;
      for (let at = 0; at < size * width; at += width) dot += dense[at + column]! * dense[at + other]!;
      for (let at = 0; at < size * width; at += width) dense[at + column]! -= dot * dense[at + other]!;
    }
    const after = norm(dense, size, width, column);
    const scale = after > before * 1e-5 ? 1 / after : 0;
    for (let at = column; at < size * width; at += width) dense[at]! *= scale;
  }
}

function norm(dense: Float32Array, size: number, width: number, column: number): number {
  let sum = 0;
  for (let at = column; at < size * width; at += width) sum += dense[at]! ** 2;
  return Math.sqrt(sum);
}

function gram(dense: Float32Array, size: number, width: number): Float64Array {
  const result = new Float64Array(width * width);
  for (let row = 0; row < size; row++) {
    for (let i = 0; i < width; i++) {
      const value = dense[row * width + i]!;
      if (value === 0) continue;
      for (let j = 0; j < width; j++) result[i * width + j]! += value * dense[row * width + j]!;
    }
  }
  return result;
}

const maxSweeps = 30;

/** The Jacobi eigenvalue algorithm for a symmetric matrix. The vectors are columns. */
function eigen(matrix: Float64Array, size: number): { values: number[]; vectors: Float64Array } {
  const vectors = new Float64Array(size * size);
  for (let k = 0; k < size; k++) vectors[k * size + k] = 1;
  for (let sweep = 0; sweep < maxSweeps && offDiagonal(matrix, size) > 1e-9; sweep++) {
    for (let p = 0; p < size; p++) for (let q = p + 1; q < size; q++) rotate(matrix, vectors, size, p, q);
  }
  return { values: Array.from({ length: size }, (_, k) => matrix[k * size + k]!), vectors };
}

/** Returns the norm of the elements off the diagonal, relative to the norm of those on it. */
function offDiagonal(matrix: Float64Array, size: number): number {
  let [on, off] = [0, 0];
  for (let i = 0; i < size; i++) {
    for (let j = 0; j < size; j++) {
      if (i === j) on += matrix[i * size + j]! ** 2;
      else off += matrix[i * size + j]! ** 2;
    }
  }
  return on === 0 ? 0 : Math.sqrt(off / on);
}

function rotate(matrix: Float64Array, vectors: Float64Array, size: number, p: number, q: number): void {
  const pq = matrix[p * size + q]!;
  if (pq === 0) return;
  const theta = (matrix[q * size + q]! - matrix[p * size + p]!) / (2 * pq);
  const tangent = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta ** 2 + 1));
  const cosine = 1 / Math.sqrt(tangent ** 2 + 1);
  const sine = tangent * cosine;
  for (let k = 0; k < size; k++) turn(matrix, k * size + p, k * size + q, cosine, sine);
  for (let k = 0; k < size; k++) turn(matrix, p * size + k, q * size + k, cosine, sine);
  for (let k = 0; k < size; k++) turn(vectors, k * size + p, k * size + q, cosine, sine);
}

function turn(matrix: Float64Array, one: number, other: number, cosine: number, sine: number): void {
  const [a, b] = [matrix[one]!, matrix[other]!];
  matrix[one] = cosine * a - sine * b;
  matrix[other] = sine * a + cosine * b;
}
