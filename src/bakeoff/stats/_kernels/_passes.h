/* Passes over a table of counts that Python holds, and sums by cell: the C path of _passes.py. Part of _native.c.
 *
 * A table has one line of 64 counts per unit (a replicate in each lane). A pass reads the lines of a model's rows in the
 * order of their scores; what runs along, hits and calls so far, is whole numbers, so that it is exact in any order.
 */
#include <math.h>

/* ---------------------------------------------------------------- counts by bin */

/* Rows come bin by bin. inside [bins, 64]: how often the rows of a bin were drawn; outside: how many of them were not. */
INLINE void bin_counts_body(const uint8_t *table, const int32_t *units, const int64_t *starts, int64_t bins, uint32_t *inside,
                            uint32_t *outside) {
    enum { AT_ONCE = 8 }; /* eight counts of at most 31 fit a byte */
    for (int64_t bin = 0; bin < bins; bin++, inside += LANES, outside += outside ? LANES : 0) {
        memset(inside, 0, LANES * sizeof *inside);
        if (outside) memset(outside, 0, LANES * sizeof *outside);
        for (int64_t row = starts[bin]; row < starts[bin + 1]; row += AT_ONCE) {
            const int64_t stop = row + AT_ONCE < starts[bin + 1] ? row + AT_ONCE : starts[bin + 1];
            uint8_t drawn[LANES] = {0}, left[LANES] = {0};
            for (int64_t i = row; i < stop; i++) {
                const uint8_t *line = table + (int64_t)units[i] * LANES;
                PREFETCH(table + (int64_t)units[i + AHEAD] * LANES);
                for (int l = 0; l < LANES; l++) drawn[l] = (uint8_t)(drawn[l] + line[l]);
                if (outside)
                    for (int l = 0; l < LANES; l++) left[l] = (uint8_t)(left[l] + (line[l] == 0));
            }
            for (int l = 0; l < LANES; l++) inside[l] += drawn[l];
            if (outside)
                for (int l = 0; l < LANES; l++) outside[l] += left[l];
        }
    }
}

/* The same with a weight for each row: sums of count x weight, and the weight of rows that were not drawn. */
INLINE void bin_weights_body(const uint8_t *table, const int32_t *units, const int64_t *starts, int64_t bins, const double *weight,
                             double *inside, double *outside) {
    for (int64_t bin = 0; bin < bins; bin++, inside += LANES, outside += outside ? LANES : 0) {
        double drawn[LANES] = {0}, left[LANES] = {0};
        for (int64_t row = starts[bin]; row < starts[bin + 1]; row++) {
            const uint8_t *line = table + (int64_t)units[row] * LANES;
            const double mine = weight[row];
            PREFETCH(table + (int64_t)units[row + AHEAD] * LANES);
            for (int l = 0; l < LANES; l++) drawn[l] += mine * (double)line[l];
            if (outside)
                for (int l = 0; l < LANES; l++) left[l] += mine * (double)(line[l] == 0);
        }
        memcpy(inside, drawn, sizeof drawn);
        if (outside) memcpy(outside, left, sizeof left);
    }
}

/* Lines of `size` counts, bins of them to a part: each becomes the sum of those of its part down to it. */
INLINE void run_along_body(uint32_t *counts, int64_t parts, int64_t bins, int64_t size) {
    for (int64_t part = 0; part < parts; part++, counts += bins * size)
        for (int64_t i = size; i < bins * size; i++) counts[i] += counts[i - size];
}

/* ---------------------------------------------------------------- rankings, scores falling */

enum { POSITIVE = 1, CLOSES = 2, TIED = 4 }; /* of a row: its class; the last of its score; it shares its score */

/* Average precision: at each score that has positives, their number times the precision down to it. Division is what
 * costs: the terms of two lone positives are brought to one denominator and share one. */
INLINE void precision_pass_body(const uint8_t *table, const int32_t *units, const uint8_t *flags, int64_t n, double *value) {
    int32_t hits[LANES] = {0}, calls[LANES] = {0}, here[LANES] = {0};
    double sum[LANES] = {0}, above[LANES] = {0}, below[LANES] = {0};
    const int small = n < INT64_C(1) << 26; /* 31 times the hits fit 32 bits */
    int open = 0, held = 0;                 /* whether rows of this score were positive so far; whether a term waits */
    for (int64_t i = 0; i < n; i++) {
        const uint8_t *line = table + (int64_t)units[i] * LANES;
        PREFETCH(table + (int64_t)units[i + AHEAD] * LANES);
        for (int l = 0; l < LANES; l++) calls[l] += line[l];
        if (small && flags[i] == (POSITIVE | CLOSES)) { /* alone with its score, as nearly all rows are */
            for (int l = 0; l < LANES; l++) hits[l] += line[l];
            if (held)
                for (int l = 0; l < LANES; l++) {
                    const double called = (double)(calls[l] + (calls[l] == 0)), term = (double)(line[l] * hits[l]);
                    sum[l] += (above[l] * called + term * below[l]) / (below[l] * called);
                }
            else
                for (int l = 0; l < LANES; l++) {
                    above[l] = (double)(line[l] * hits[l]);
                    below[l] = (double)(calls[l] + (calls[l] == 0)); /* nothing called so far: nothing to add */
                }
            held = !held;
            continue;
        }
        if (flags[i] & POSITIVE) {
            open = 1;
            for (int l = 0; l < LANES; l++) hits[l] += line[l];
            for (int l = 0; l < LANES; l++) here[l] += line[l];
        }
        if (open && (flags[i] & CLOSES)) {
            for (int l = 0; l < LANES; l++) {
                const int32_t called = calls[l] + (calls[l] == 0);
                sum[l] += (double)here[l] * (double)hits[l] / (double)called;
            }
            memset(here, 0, sizeof here);
            open = 0;
        }
    }
    for (int l = 0; held && l < LANES; l++) sum[l] += above[l] / below[l];
    for (int l = 0; l < LANES; l++) value[l] = hits[l] > 0 ? sum[l] / (double)hits[l] : (double)NAN;
}

/* Area in hits x alarms up to `limit` alarms of each lane; a score shared by both classes is a slope. */
INLINE void partial_pass_body(const uint8_t *table, const int32_t *units, const uint8_t *flags, int64_t n, const double *limit,
                              double *area) {
    enum { LOOK = 64 }; /* rows between looks whether every lane has come to its limit */
    int32_t hits[LANES] = {0}, alarms[LANES] = {0}, up[LANES] = {0}, down[LANES] = {0};
    for (int l = 0; l < LANES; l++) area[l] = 0;
    for (int64_t i = 0; i < n; i++) {
        const uint8_t *line = table + (int64_t)units[i] * LANES;
        PREFETCH(table + (int64_t)units[i + AHEAD] * LANES);
        if (!(flags[i] & TIED)) {
            if (flags[i] & POSITIVE)
                for (int l = 0; l < LANES; l++) hits[l] += line[l];
            else
                for (int l = 0; l < LANES; l++) {
                    const double left = limit[l] - (double)alarms[l], step = (double)line[l];
                    const double wide = left > 0 ? left : 0.0;
                    area[l] += (wide < step ? wide : step) * (double)hits[l];
                    alarms[l] += line[l];
                }
        } else {
            int32_t *side = flags[i] & POSITIVE ? up : down;
            for (int l = 0; l < LANES; l++) side[l] += line[l];
            if (flags[i] & CLOSES)
                for (int l = 0; l < LANES; l++) {
                    const double left = limit[l] - (double)alarms[l], step = (double)down[l];
                    const double wide = left > 0 ? left : 0.0, run = wide < step ? wide : step;
                    area[l] += run * ((double)hits[l] + 0.5 * (double)up[l] * (run / (step > 0 ? step : 1.0)));
                    hits[l] += up[l];
                    alarms[l] += down[l];
                    up[l] = down[l] = 0;
                }
        }
        if (i % LOOK == LOOK - 1 && (flags[i] & CLOSES)) {
            int going = 0;
            for (int l = 0; l < LANES; l++) going |= (double)alarms[l] < limit[l];
            if (!going) break;
        }
    }
}

/* ---------------------------------------------------------------- the hull above a staircase of whole numbers */

/* Andrew's monotone chain: places of the vertices, and their number; points on an edge are dropped. */
static int64_t hull_chain(const int64_t *x, const int64_t *y, int64_t n, int64_t *stack) {
    int64_t top = 0;
    for (int64_t i = 0; i < n; i++) {
        if (i > 0 && i + 1 < n && y[i + 1] > y[i] && x[i + 1] == x[i]) continue; /* on its way up: the top of the step matters */
        if (top && x[i] == x[stack[top - 1]] && y[i] == y[stack[top - 1]]) continue;
        for (; top > 1; top--) {
            const int64_t a = stack[top - 2], b = stack[top - 1];
            if ((y[b] - y[a]) * (x[i] - x[b]) > (x[b] - x[a]) * (y[i] - y[b])) break;
        }
        stack[top++] = i;
    }
    return top;
}

static PyObject *py_hull_chain(PyObject *self, PyObject *args) {
    PyObject *x, *y, *places;
    buffers_t all = {.used = 0};
    (void)self;
    if (!PyArg_ParseTuple(args, "OOO", &x, &y, &places)) return NULL;
    const int64_t *across = open_buffer(&all, x, 0, -1);
    const int64_t n = across ? all.view[0].len / 8 : 0;
    const int64_t *up = across ? open_buffer(&all, y, 0, n * 8) : NULL;
    int64_t *to = up ? open_buffer(&all, places, 1, n * 8) : NULL, found = 0;
    if (to) {
        Py_BEGIN_ALLOW_THREADS
        found = hull_chain(across, up, n, to);
        Py_END_ALLOW_THREADS
    }
    PyObject *done = close_buffers(&all, to != NULL);
    Py_XDECREF(done);
    return done ? PyLong_FromLongLong(found) : NULL;
}

/* Hulls of 64 lanes. Rows come step by step of a ranking, the negatives of a step before its positives, and starts
 * [2 * steps + 1] says where each of these begins. A point under the hull of every 16th point is no vertex: a second look
 * at the rows, all lanes side by side, keeps the corners of that coarse hull and what lies above its edges, and the chain
 * is run on these few. */
enum { COARSE = 16 };
typedef struct {
    const uint8_t *table;
    const int32_t *units;
    const int64_t *starts;
    int64_t steps;
} ranking_t;

/* The counts of a step's negatives to across, of its positives to up. */
INLINE void add_step(const ranking_t *of, int64_t step, int32_t *across, int32_t *up) {
    const int64_t *start = of->starts + 2 * step;
    for (int64_t i = start[0]; i < start[2]; i++) {
        const uint8_t *line = of->table + (int64_t)of->units[i] * LANES;
        int32_t *to = i < start[1] ? across : up;
        PREFETCH(of->table + (int64_t)of->units[i + AHEAD] * LANES);
        for (int l = 0; l < LANES; l++) to[l] += line[l];
    }
}

/* Of each block of 16 steps and lane: the edge of the coarse hull above it, and whether the block ends in a corner. */
typedef struct {
    int32_t *x, *y;             /* [blocks + 1, 64]: every 16th point */
    double *run, *rise, *on;    /* [blocks, 64]: a point is above where y * run - x * rise > on; below 2^53: exact */
    uint8_t *corner;            /* [blocks, 64] */
    int64_t *wide;              /* [3 * points]: places and points of one lane */
} coarse_t;

static int open_coarse(coarse_t *to, int64_t blocks, int64_t points) {
    const size_t cells = (size_t)(blocks + 1) * LANES;
    to->x = malloc(cells * 2 * sizeof *to->x);
    to->run = calloc(cells * 3, sizeof *to->run); /* after the last corner nothing is above */
    to->corner = calloc(cells, 1);
    to->wide = malloc((size_t)(3 * points) * sizeof *to->wide);
    if (!to->x || !to->run || !to->corner || !to->wide) return 0;
    to->y = to->x + cells;
    to->rise = to->run + cells;
    to->on = to->rise + cells;
    return 1;
}

static void close_coarse(coarse_t *of) {
    free(of->x);
    free(of->run);
    free(of->corner);
    free(of->wide);
}

INLINE void coarse_points(const ranking_t *of, const coarse_t *to) {
    int32_t across[LANES] = {0}, up[LANES] = {0};
    memset(to->x, 0, sizeof across);
    memset(to->y, 0, sizeof up);
    for (int64_t s = 0; s < of->steps; s++) {
        add_step(of, s, across, up);
        if (s % COARSE != COARSE - 1 && s + 1 < of->steps) continue;
        memcpy(to->x + (s / COARSE + 1) * LANES, across, sizeof across);
        memcpy(to->y + (s / COARSE + 1) * LANES, up, sizeof up);
    }
}

static void coarse_edges(const coarse_t *of, int64_t blocks, int lane) {
    int64_t *px = of->wide, *py = px + blocks + 1, *place = py + blocks + 1;
    for (int64_t i = 0; i <= blocks; i++) {
        px[i] = of->x[i * LANES + lane];
        py[i] = of->y[i * LANES + lane];
    }
    const int64_t corners = hull_chain(px, py, blocks + 1, place);
    for (int64_t c = 0; c + 1 < corners; c++) {
        const int64_t a = place[c], b = place[c + 1];
        const double run = (double)(px[b] - px[a]), rise = (double)(py[b] - py[a]);
        const double on = (double)py[a] * run - (double)px[a] * rise;
        for (int64_t block = a; block < b; block++) {
            of->run[block * LANES + lane] = run;
            of->rise[block * LANES + lane] = rise;
            of->on[block * LANES + lane] = on;
        }
        of->corner[(b - 1) * LANES + lane] = 1;
    }
}

/* Points of each lane that may be vertices, in order, to vx and vy [64, points]; their numbers to `kept`. */
INLINE void keep_points(const ranking_t *from, const coarse_t *of, int32_t *vx, int32_t *vy, int64_t *kept) {
    const int64_t points = from->steps + 1;
    int32_t x[LANES] = {0}, y[LANES] = {0};
    for (int l = 0; l < LANES; l++) {
        vx[l * points] = vy[l * points] = 0;
        kept[l] = 1;
    }
    for (int64_t s = 0; s < from->steps; s++) {
        const int64_t at = s / COARSE * LANES;
        const double *run = of->run + at, *rise = of->rise + at, *on = of->on + at;
        uint8_t mark[LANES];
        add_step(from, s, x, y);
        if (s % COARSE == COARSE - 1 || s + 1 == from->steps) memcpy(mark, of->corner + at, LANES);
        else
            for (int l = 0; l < LANES; l++) mark[l] = (double)y[l] * run[l] - (double)x[l] * rise[l] > on[l];
        uint64_t above = 0; /* one bit for each lane that keeps the point */
        for (int eight = 0; eight < LANES; eight += 8) {
            uint64_t some;
            memcpy(&some, mark + eight, 8);
            above |= (some * UINT64_C(0x0102040810204080)) >> 56 << eight; /* eight bytes of 0 or 1 become bits */
        }
        for (; above; above &= above - 1) {
            const int l = lowest_bit(above);
            vx[l * points + kept[l]] = x[l];
            vy[l * points + kept[l]++] = y[l];
        }
    }
}

static int64_t last_chain(const coarse_t *of, int64_t points, int64_t kept, int32_t *vx, int32_t *vy) {
    int64_t *px = of->wide, *py = px + points, *place = py + points;
    for (int64_t i = 0; i < kept; i++) {
        px[i] = vx[i];
        py[i] = vy[i];
    }
    const int64_t found = hull_chain(px, py, kept, place);
    for (int64_t v = 0; v < found; v++) {
        vx[v] = (int32_t)px[place[v]];
        vy[v] = (int32_t)py[place[v]];
    }
    return found;
}

INLINE int hull_lanes_body(const ranking_t *of, int32_t *vx, int32_t *vy, int64_t *sizes) {
    const int64_t points = of->steps + 1, blocks = (of->steps + COARSE - 1) / COARSE;
    coarse_t coarse = {0};
    const int done = open_coarse(&coarse, blocks, points + 2);
    if (done) {
        coarse_points(of, &coarse);
        for (int lane = 0; lane < LANES; lane++) coarse_edges(&coarse, blocks, lane);
        keep_points(of, &coarse, vx, vy, sizes);
        for (int64_t lane = 0; lane < LANES; lane++)
            sizes[lane] = last_chain(&coarse, points, sizes[lane], vx + lane * points, vy + lane * points);
    }
    close_coarse(&coarse);
    return done;
}

BUILT(int, hull_lanes, (const ranking_t *of, int32_t *vx, int32_t *vy, int64_t *sizes), (of, vx, vy, sizes))

static PyObject *py_hull_lanes(PyObject *self, PyObject *args) {
    PyObject *table, *units, *starts, *x, *y, *sizes;
    buffers_t all = {.used = 0};
    ranking_t of = {0};
    int done = 0;
    (void)self;
    if (!PyArg_ParseTuple(args, "OOOOOO", &table, &units, &starts, &x, &y, &sizes)) return NULL;
    of.table = open_buffer(&all, table, 0, -1);
    of.units = of.table ? open_buffer(&all, units, 0, -1) : NULL;
    of.starts = of.units ? open_buffer(&all, starts, 0, -1) : NULL;
    of.steps = of.starts ? all.view[all.used - 1].len / 16 : 0;
    const int64_t bytes = (of.steps + 1) * LANES * 4;
    int32_t *across = of.starts ? open_buffer(&all, x, 1, bytes) : NULL, *up = across ? open_buffer(&all, y, 1, bytes) : NULL;
    int64_t *size = up ? open_buffer(&all, sizes, 1, LANES * 8) : NULL;
    if (size) {
        Py_BEGIN_ALLOW_THREADS
        done = hull_lanes(&of, across, up, size);
        Py_END_ALLOW_THREADS
        if (!done) PyErr_NoMemory();
    }
    return close_buffers(&all, done);
}

/* ---------------------------------------------------------------- sums by cell */

/* Every unit adds its words to one cell. Lines are drawn 248 at a time; the units of such a batch come cell by cell, in
 * runs of at most 28, and two by two as `digit_sums` wants them (a last one alone goes with a line of zeros). */
enum { BATCH = 4 * LINES, RUN_ROWS = 28, SMALL = 9, BATCHES_UNTIL_CARRY = 1 << 11 }; /* 28 counts of 9 fit 257 */

typedef struct cells {
    int64_t n_cells, n_words;
    const int32_t *cell;      /* [units] */
    const uint32_t *words;    /* [units, n_words] */
    int64_t *first_run;       /* [batches + 1] */
    int32_t *run_cell;        /* [runs] */
    uint8_t *run_pairs;       /* [runs] */
    uint8_t *rows;            /* [pairs, 2]: lines of the batch */
    uint32_t *digits;         /* [pairs, n_words, DIGITS] */
} cells_t;

/* One batch: its runs and pairs, only counted where `to` has no memory yet. `next` [n_cells + 1] is scratch. */
static void lay_out_batch(const cells_t *to, int64_t start, int rows, int64_t *next, int64_t *runs, int64_t *pairs) {
    uint8_t order[BATCH];
    memset(next, 0, (size_t)(to->n_cells + 1) * sizeof *next);
    for (int i = 0; i < rows; i++) next[to->cell[start + i] + 1]++;
    for (int64_t c = 0; c < to->n_cells; c++) next[c + 1] += next[c];
    for (int i = 0; i < rows; i++) order[next[to->cell[start + i]]++] = (uint8_t)i;
    for (int at = 0; at < rows;) {
        const int32_t cell = to->cell[start + order[at]];
        int stop = at + 1;
        while (stop < rows && stop < at + RUN_ROWS && to->cell[start + order[stop]] == cell) stop++;
        if (to->digits) {
            to->run_cell[*runs] = cell;
            to->run_pairs[*runs] = (uint8_t)((stop - at + 1) / 2);
            uint32_t *digit = to->digits + *pairs * to->n_words * DIGITS;
            uint8_t *row = to->rows + *pairs * 2;
            for (int i = at; i < stop; i += 2) {
                const int alone = i + 1 == stop;
                *row++ = order[i];
                *row++ = alone ? BATCH : order[i + 1];
                for (int64_t w = 0; w < to->n_words; w++) {
                    uint32_t first = to->words[(start + order[i]) * to->n_words + w];
                    uint32_t second = alone ? 0 : to->words[(start + order[i + 1]) * to->n_words + w];
                    for (int d = 0; d < DIGITS; d++, first >>= 8, second >>= 8)
                        *digit++ = ((first & 0xFF) | (second & 0xFF) << 8) * UINT32_C(0x10001);
                }
            }
        }
        *pairs += (stop - at + 1) / 2;
        ++*runs;
        at = stop;
    }
}

static void free_cells(cells_t *c) {
    free(c->first_run);
    free(c->run_cell);
    free(c->run_pairs);
    free(c->rows);
    free(c->digits);
}

/* Count the runs and pairs, then lay them out; 0 without memory. */
static int lay_out_cells(const plan_t *plan, cells_t *to) {
    int64_t *next = malloc((size_t)(to->n_cells + 1) * sizeof *next), batches = 0;
    for (int64_t s = 0; s < plan->n_strata; s++) batches += (plan->starts[s + 1] - plan->starts[s] + BATCH - 1) / BATCH;
    to->first_run = malloc((size_t)(batches + 1) * sizeof *to->first_run);
    for (int filling = 0; next && to->first_run && filling < 2; filling++) {
        int64_t runs = 0, pairs = 0, batch = 0;
        for (int64_t s = 0; s < plan->n_strata; s++)
            for (int64_t at = plan->starts[s]; at < plan->starts[s + 1]; at += BATCH) {
                const int64_t left = plan->starts[s + 1] - at;
                to->first_run[batch++] = runs;
                lay_out_batch(to, at, (int)(left < BATCH ? left : BATCH), next, &runs, &pairs);
            }
        to->first_run[batches] = runs;
        if (filling) break;
        to->run_cell = malloc((size_t)runs * sizeof *to->run_cell);
        to->run_pairs = malloc((size_t)runs);
        to->rows = malloc((size_t)pairs * 2);
        to->digits = malloc((size_t)(pairs * to->n_words * DIGITS) * sizeof *to->digits);
        if (!to->run_cell || !to->run_pairs || !to->rows || !to->digits) break;
    }
    free(next);
    return to->first_run && to->digits && to->rows && to->run_pairs && to->run_cell;
}

/* sums [n_words, DIGITS, LANES] += count x digit over the pairs of a run. */
static void run_sums_any(const uint8_t *lines, const uint8_t *rows, const uint32_t *digits, int pairs, int64_t n_words,
                         uint32_t *sums) {
    for (int pair = 0; pair < pairs; pair++)
        for (int64_t w = 0; w < n_words * DIGITS; w++) {
            const uint32_t digit = digits[pair * n_words * DIGITS + w];
            const uint8_t *first = lines + rows[2 * pair] * LANES, *second = lines + rows[2 * pair + 1] * LANES;
            uint32_t *total = sums + w * LANES;
            for (int l = 0; l < LANES; l++) total[l] += first[l] * (digit & 0xFF) + second[l] * (digit >> 8 & 0xFF);
        }
}

#if HAVE_AVX2_CLONE
AVX2 static void run_sums_avx2(const uint8_t *lines, const uint8_t *rows, const uint32_t *digits, int pairs, int64_t n_words,
                               uint32_t *sums) {
    for (int q = 0; q < LANES; q += 32)
        for (int64_t w = 0; w < n_words; w++) {
            __m256i low[DIGITS], high[DIGITS];
            for (int d = 0; d < DIGITS; d++) low[d] = high[d] = _mm256_setzero_si256();
            for (int pair = 0; pair < pairs; pair++) {
                const __m256i first = _mm256_loadu_si256((const __m256i *)(lines + rows[2 * pair] * LANES + q));
                const __m256i second = _mm256_loadu_si256((const __m256i *)(lines + rows[2 * pair + 1] * LANES + q));
                const __m256i a = _mm256_unpacklo_epi8(first, second), b = _mm256_unpackhi_epi8(first, second);
                for (int d = 0; d < DIGITS; d++) {
                    const __m256i digit = _mm256_set1_epi32((int)digits[(pair * n_words + w) * DIGITS + d]);
                    low[d] = _mm256_add_epi16(low[d], _mm256_maddubs_epi16(digit, a));
                    high[d] = _mm256_add_epi16(high[d], _mm256_maddubs_epi16(digit, b));
                }
            }
            for (int d = 0; d < DIGITS; d++) {
                uint32_t *total = sums + (w * DIGITS + d) * LANES + q;
                add_sixteen(_mm256_castsi256_si128(low[d]), total);
                add_sixteen(_mm256_castsi256_si128(high[d]), total + 8);
                add_sixteen(_mm256_extracti128_si256(low[d], 1), total + 16);
                add_sixteen(_mm256_extracti128_si256(high[d], 1), total + 24);
            }
        }
}

AVX512 static void run_sums_avx512(const uint8_t *lines, const uint8_t *rows, const uint32_t *digits, int pairs, int64_t n_words,
                                   uint32_t *sums) {
    for (int64_t w = 0; w < n_words; w++) {
        __m512i low[DIGITS], high[DIGITS];
        for (int d = 0; d < DIGITS; d++) low[d] = high[d] = _mm512_setzero_si512();
        for (int pair = 0; pair < pairs; pair++) {
            const __m512i first = _mm512_loadu_si512(lines + rows[2 * pair] * LANES), second = _mm512_loadu_si512(lines + rows[2 * pair + 1] * LANES);
            const __m512i a = _mm512_unpacklo_epi8(first, second), b = _mm512_unpackhi_epi8(first, second);
            for (int d = 0; d < DIGITS; d++) {
                const __m512i digit = _mm512_set1_epi32((int)digits[(pair * n_words + w) * DIGITS + d]);
                low[d] = _mm512_add_epi16(low[d], _mm512_maddubs_epi16(digit, a));
                high[d] = _mm512_add_epi16(high[d], _mm512_maddubs_epi16(digit, b));
            }
        }
        for (int d = 0; d < DIGITS; d++) add_halves(low[d], high[d], sums + (w * DIGITS + d) * LANES);
    }
}
#endif
static void (*run_sums)(const uint8_t *, const uint8_t *, const uint32_t *, int, int64_t, uint32_t *) = run_sums_any;

static size_t cell_sums_bytes(const cells_t *c) {
    return (BATCH + 1) * LANES + (size_t)(c->n_cells * c->n_words) * LANES * (8 + 4 * DIGITS);
}

static void work_cells(job_t *job, int64_t block, uint8_t *scratch) {
    const plan_t *plan = job->plan;
    const cells_t *c = job->cells;
    const int64_t k = c->n_cells * c->n_words;
    uint8_t *lines = scratch, *kept = job->kept + block * LANES;
    uint64_t *totals = (uint64_t *)(scratch + (BATCH + 1) * LANES);
    uint32_t *sums = (uint32_t *)(totals + k * LANES);
    const size_t sum_bytes = (size_t)(k * DIGITS * LANES) * sizeof *sums;
    int64_t batch = 0, pairs = 0;
    streams_t s;
    uint64_t keys[2];
    seed_block(&s, keys, job->seed, (uint64_t)(job->first + block));
    memset(kept, 1, LANES);
    memset(totals, 0, (size_t)k * LANES * sizeof *totals);
    memset(sums, 0, sum_bytes);
    memset(lines + BATCH * LANES, 0, LANES);
    for (int64_t stratum = 0; stratum < plan->n_strata; stratum++) {
        const int64_t start = plan->starts[stratum], end = plan->starts[stratum + 1], law = plan->law[stratum];
        int64_t missing[LANES];
        for (int l = 0; l < LANES; l++) missing[l] = end - start;
        for (int64_t at = start; at < end; at += BATCH, batch++) {
            const int64_t stop = at + BATCH < end ? at + BATCH : end;
            uint8_t most = 0;
            for (int64_t line = at; law >= 0 && line < stop; line += LINES) {
                uint16_t drawn[LANES];
                uint8_t *to = lines + (line - at) * LANES;
                draw_chunk(plan, law, &s, keys[0], line, chunk_rows(line, stop), to, drawn);
                for (int l = 0; l < LANES; l++) missing[l] -= drawn[l];
                for (int i = 0; i < chunk_rows(line, stop) * LANES; i++) most = most > to[i] ? most : to[i];
            }
            for (int64_t run = c->first_run[batch]; run < c->first_run[batch + 1]; pairs += c->run_pairs[run++])
                if (law >= 0)
                    (most <= SMALL ? run_sums : run_sums_any)(lines, c->rows + 2 * pairs, c->digits + pairs * c->n_words * DIGITS, c->run_pairs[run],
                                                              c->n_words, sums + c->run_cell[run] * c->n_words * DIGITS * LANES);
            if (batch % BATCHES_UNTIL_CARRY == BATCHES_UNTIL_CARRY - 1) {
                carry(k, sums, totals);
                memset(sums, 0, sum_bytes);
            }
        }
        for (int l = 0; l < LANES; l++) kept[l] &= missing[l] >= 0;
        for (int l = 0; l < LANES; l++)
            for (int64_t i = 0; i < missing[l]; i++) {
                const uint64_t word = hashed(keys[1], (uint64_t)(start + i) * LANES + (uint64_t)l);
                const int64_t unit = start + (int64_t)uniform_below(word, (uint64_t)(end - start));
                for (int64_t w = 0; w < c->n_words; w++)
                    totals[(c->cell[unit] * c->n_words + w) * LANES + l] += c->words[unit * c->n_words + w];
            }
    }
    carry(k, sums, totals);
    for (int l = 0; l < LANES; l++)
        for (int64_t i = 0; i < k; i++) job->sums[(block * LANES + l) * k + i] = (double)totals[i * LANES + l];
}

/* ---------------------------------------------------------------- numbers that add up, by slice */

enum { AT_ONCE = 256, APART = 8 }; /* rows; sums held apart, so that an addition need not wait for the one before */

/* Sums of t columns of n terms by slice, added to out [slices, t]. */
INLINE void slice_sums_body(const double *terms, int64_t n, int64_t t, const int64_t *code, double *out) {
    for (int64_t first = 0; first < n; first += AT_ONCE) {
        const int64_t end = n - first < AT_ONCE ? n : first + AT_ONCE;
        for (int64_t k = 0; k < t; k++)
            for (int64_t i = first; i < end; i++) out[code[i] * t + k] += terms[k * n + i];
    }
}

/* Squares and fourth powers of slope . terms - moved of each row, added up: in out [slices + 1, 2] by slice with the slope
 * of the slice, last of all rows with the last slope. `terms` are t columns of n, slopes t rows of slices + 1. */
INLINE void slice_powers_body(const double *terms, int64_t n, int64_t t, const int64_t *code, int64_t slices,
                              const double *slope, const double *moved, double *out) {
    double own[AT_ONCE], whole[AT_ONCE], second[APART] = {0}, fourth[APART] = {0};
    for (int64_t first = 0; first < n; first += AT_ONCE) {
        const int64_t some = n - first < AT_ONCE ? n - first : AT_ONCE;
        const int64_t *at = code + first;
        for (int64_t i = 0; i < some; i++) own[i] = -moved[at[i]];
        for (int64_t i = 0; i < AT_ONCE; i++) whole[i] = i < some ? -moved[slices] : 0;
        for (int64_t k = 0; k < t; k++) {
            const double *term = terms + k * n + first, *each = slope + k * (slices + 1), of_all = each[slices];
            for (int64_t i = 0; i < some; i++) {
                own[i] += each[at[i]] * term[i];
                whole[i] += of_all * term[i];
            }
        }
        for (int64_t i = 0; i < some; i++) {
            const double square = own[i] * own[i];
            out[2 * at[i]] += square;
            out[2 * at[i] + 1] += square * square;
        }
        for (int64_t i = 0; i < AT_ONCE; i += APART)
            for (int64_t l = 0; l < APART; l++) {
                const double square = whole[i + l] * whole[i + l];
                second[l] += square;
                fourth[l] += square * square;
            }
    }
    for (int64_t l = 0; l < APART; l++) {
        out[2 * slices] += second[l];
        out[2 * slices + 1] += fourth[l];
    }
}

/* ---------------------------------------------------------------- Python */

EACH(bin_counts,
     (const uint8_t *table, const int32_t *units, const int64_t *starts, int64_t bins, uint32_t *inside, uint32_t *outside),
     (table, units, starts, bins, inside, outside))
EACH(bin_weights,
     (const uint8_t *table, const int32_t *units, const int64_t *starts, int64_t bins, const double *weight, double *inside,
      double *outside),
     (table, units, starts, bins, weight, inside, outside))
EACH(run_along, (uint32_t *counts, int64_t parts, int64_t bins, int64_t size), (counts, parts, bins, size))
EACH(slice_sums, (const double *terms, int64_t n, int64_t t, const int64_t *code, double *out), (terms, n, t, code, out))
EACH(slice_powers,
     (const double *terms, int64_t n, int64_t t, const int64_t *code, int64_t slices, const double *slope, const double *moved,
      double *out),
     (terms, n, t, code, slices, slope, moved, out))
EACH(precision_pass, (const uint8_t *table, const int32_t *units, const uint8_t *flags, int64_t n, double *value),
     (table, units, flags, n, value))
EACH(partial_pass,
     (const uint8_t *table, const int32_t *units, const uint8_t *flags, int64_t n, const double *limit, double *area),
     (table, units, flags, n, limit, area))

static void choose_passes(int level) {
    (void)level;
#if HAVE_AVX2_CLONE
    CHOOSE(bin_counts);
    CHOOSE(bin_weights);
    CHOOSE(run_along);
    CHOOSE(slice_sums);
    CHOOSE(slice_powers);
    CHOOSE(precision_pass);
    CHOOSE(partial_pass);
    CHOOSE(hull_lanes);
    CHOOSE(run_sums);
#endif
}

static PyObject *py_bin_counts(PyObject *self, PyObject *args) {
    PyObject *table, *units, *starts, *weights, *inside, *outside;
    buffers_t all = {.used = 0};
    (void)self;
    if (!PyArg_ParseTuple(args, "OOOOOO", &table, &units, &starts, &weights, &inside, &outside)) return NULL;
    const int weighted = weights != Py_None, both = outside != Py_None;
    const uint8_t *from = open_buffer(&all, table, 0, -1);
    const int32_t *unit = from ? open_buffer(&all, units, 0, -1) : NULL;
    const int64_t rows = unit ? all.view[all.used - 1].len / 4 - AHEAD : 0;
    const int64_t *start = unit ? open_buffer(&all, starts, 0, -1) : NULL;
    const int64_t bins = start ? all.view[all.used - 1].len / 8 - 1 : 0, size = bins * LANES * (weighted ? 8 : 4);
    const double *weight = start && weighted ? open_buffer(&all, weights, 0, rows * 8) : NULL;
    void *in = start && (weight || !weighted) ? open_buffer(&all, inside, 1, size) : NULL;
    void *out = in && both ? open_buffer(&all, outside, 1, size) : NULL;
    const int done = in && (out || !both);
    if (done) {
        Py_BEGIN_ALLOW_THREADS
        if (weighted) bin_weights(from, unit, start, bins, weight, in, out);
        else bin_counts(from, unit, start, bins, in, out);
        Py_END_ALLOW_THREADS
    }
    return close_buffers(&all, done);
}

static PyObject *py_run_along(PyObject *self, PyObject *args) {
    long long parts, bins, size;
    PyObject *counts;
    buffers_t all = {.used = 0};
    (void)self;
    if (!PyArg_ParseTuple(args, "OLLL", &counts, &parts, &bins, &size)) return NULL;
    uint32_t *to = open_buffer(&all, counts, 1, parts * bins * size * 4);
    if (to) {
        Py_BEGIN_ALLOW_THREADS
        run_along(to, parts, bins, size);
        Py_END_ALLOW_THREADS
    }
    return close_buffers(&all, to != NULL);
}

static PyObject *py_slice_sums(PyObject *self, PyObject *args) {
    PyObject *terms, *code, *out;
    buffers_t all = {.used = 0};
    (void)self;
    if (!PyArg_ParseTuple(args, "OOO", &terms, &code, &out)) return NULL;
    const int64_t *at = open_buffer(&all, code, 0, -1);
    const int64_t n = at ? all.view[all.used - 1].len / 8 : 0;
    const double *term = at ? open_buffer(&all, terms, 0, -1) : NULL;
    const int64_t t = term && n ? all.view[all.used - 1].len / 8 / n : 0;
    double *to = term ? open_buffer(&all, out, 1, -1) : NULL;
    if (to) {
        Py_BEGIN_ALLOW_THREADS
        slice_sums(term, n, t, at, to);
        Py_END_ALLOW_THREADS
    }
    return close_buffers(&all, to != NULL);
}

static PyObject *py_slice_powers(PyObject *self, PyObject *args) {
    PyObject *terms, *code, *slope, *moved, *out;
    buffers_t all = {.used = 0};
    (void)self;
    if (!PyArg_ParseTuple(args, "OOOOO", &terms, &code, &slope, &moved, &out)) return NULL;
    const int64_t *at = open_buffer(&all, code, 0, -1);
    const int64_t n = at ? all.view[all.used - 1].len / 8 : 0;
    const double *from = at ? open_buffer(&all, moved, 0, -1) : NULL;
    const int64_t lines = from ? all.view[all.used - 1].len / 8 : 0;
    const double *each = from ? open_buffer(&all, slope, 0, -1) : NULL;
    const int64_t t = each ? all.view[all.used - 1].len / 8 / lines : 0;
    const double *term = each ? open_buffer(&all, terms, 0, n * t * 8) : NULL;
    double *to = term ? open_buffer(&all, out, 1, lines * 16) : NULL;
    if (to) {
        Py_BEGIN_ALLOW_THREADS
        slice_powers(term, n, t, at, lines - 1, each, from, to);
        Py_END_ALLOW_THREADS
    }
    return close_buffers(&all, to != NULL);
}

/* Average precision of each lane, or with limits of the alarms the area up to them. */
static PyObject *py_rank_pass(PyObject *self, PyObject *args) {
    PyObject *table, *units, *flags, *limits, *values;
    buffers_t all = {.used = 0};
    (void)self;
    if (!PyArg_ParseTuple(args, "OOOOO", &table, &units, &flags, &limits, &values)) return NULL;
    const uint8_t *from = open_buffer(&all, table, 0, -1), *flag = from ? open_buffer(&all, flags, 0, -1) : NULL;
    const int64_t n = flag ? all.view[all.used - 1].len : 0;
    const int32_t *unit = flag ? open_buffer(&all, units, 0, (n + AHEAD) * 4) : NULL;
    double *to = unit ? open_buffer(&all, values, 1, LANES * 8) : NULL;
    const double *limit = to && limits != Py_None ? open_buffer(&all, limits, 0, LANES * 8) : NULL;
    const int done = to && (limit || limits == Py_None);
    if (done) {
        Py_BEGIN_ALLOW_THREADS
        if (limit) partial_pass(from, unit, flag, n, limit, to);
        else precision_pass(from, unit, flag, n, to);
        Py_END_ALLOW_THREADS
    }
    return close_buffers(&all, done);
}

static PyObject *py_cell_sum_blocks(PyObject *self, PyObject *args) {
    unsigned long long seed;
    long long first, count, n_cells, n_words;
    int threads;
    PyObject *cell, *words, *sums, *kept;
    plan_args_t given;
    buffers_t all = {.used = 0};
    plan_t plan;
    (void)self;
    if (!PyArg_ParseTuple(args, "KLLiOOOOOLLOOOO", &seed, &first, &count, &threads, &given.starts, &given.law, &given.cuts, &given.residual, &given.guide,
                          &n_cells, &n_words, &cell, &words, &sums, &kept))
        return NULL;
    cells_t cells = {.n_cells = n_cells, .n_words = n_words};
    job_t job = {.plan = &plan, .seed = seed, .first = first, .count = count, .cells = &cells, .work = work_cells};
    int done = open_plan(&all, &given, &plan) && (cells.cell = open_buffer(&all, cell, 0, plan.n_units * 4)) &&
               (cells.words = open_buffer(&all, words, 0, plan.n_units * n_words * 4)) &&
               (job.sums = open_buffer(&all, sums, 1, count * LANES * n_cells * n_words * 8)) &&
               (job.kept = open_buffer(&all, kept, 1, count * LANES));
    if (done) {
        if (!(done = lay_out_cells(&plan, &cells))) PyErr_NoMemory();
        else done = run_with_memory(&job, threads, (int64_t)cell_sums_bytes(&cells));
        free_cells(&cells);
    }
    return close_buffers(&all, done);
}
