/* Signed ranks of all pairs of models, Walsh averages and the exact null distribution: the C path of _pair_sums.py,
 * _walsh.py and _signed_rank.py. Part of _native.c, which has the buffers, the threads and the choice of instructions.
 *
 * Rank sums are whole numbers (or halves), Walsh averages are picked out, never computed from others, and counts of sign
 * patterns are added in NumPy's order: every answer is the NumPy path's, bit by bit.
 */
#include <math.h>

/* ---------------------------------------------------------------- sorting */

enum { RADIX = 256, FEW = 40, BUCKETS = 1024, CROWD = 24, MOST_BUCKETED = 4096 };

static void insert_keys(uint64_t *keys, int64_t n) {
    for (int64_t i = 1; i < n; i++) {
        uint64_t key = keys[i];
        int64_t at = i;
        for (; at > 0 && keys[at - 1] > key; at--) keys[at] = keys[at - 1];
        keys[at] = key;
    }
}

/* Keys go to a thousand buckets by their leading bits, and from there it is not far to their places. Where some bucket
 * is crowded (ties, outliers), return 0 and leave the keys as they are. */
static int sort_buckets(const uint64_t *keys, uint64_t *sorted, int64_t n, uint64_t largest) {
    uint16_t start[BUCKETS] = {0};
    uint32_t place = 0, most = 0;
    int shift = 0;
    while (largest >> shift >= BUCKETS) shift++;
    for (int64_t i = 0; i < n; i++) start[keys[i] >> shift]++;
    for (int bucket = 0; bucket < BUCKETS; bucket++) {
        uint32_t some = start[bucket];
        most = some > most ? some : most;
        start[bucket] = (uint16_t)place;
        place += some;
    }
    if (most > CROWD) return 0;
    for (int64_t i = 0; i < n; i++) sorted[start[keys[i] >> shift]++] = keys[i];
    insert_keys(sorted, n);
    return 1;
}

/* Sort in buckets, or by one byte after the other, leaving out those in which all keys agree; return which of the two
 * buffers has the sorted keys. */
static uint64_t *sort_keys(uint64_t *keys, uint64_t *spare, int64_t n) {
    uint32_t counts[8][RADIX];
    int shift[8], used = 0;
    uint64_t unlike = 0, largest = 0;
    if (n <= FEW) {
        insert_keys(keys, n);
        return keys;
    }
    for (int64_t i = 0; i < n; i++) {
        unlike |= keys[i] ^ keys[0];
        largest = keys[i] > largest ? keys[i] : largest;
    }
    for (int byte = 0; byte < 64; byte += 8)
        if ((unlike >> byte) & 255) shift[used++] = byte;
    if (used > 2 && n <= MOST_BUCKETED && sort_buckets(keys, spare, n, largest)) return spare;
    memset(counts, 0, (size_t)used * sizeof counts[0]);
    for (int64_t i = 0; i < n; i++)
        for (int u = 0; u < used; u++) counts[u][(keys[i] >> shift[u]) & 255]++;
    for (int u = 0; u < used; u++) {
        uint32_t place = 0, *start = counts[u];
        for (int digit = 0; digit < RADIX; digit++) {
            uint32_t some = start[digit];
            start[digit] = place;
            place += some;
        }
        for (int64_t i = 0; i < n; i++) spare[start[(keys[i] >> shift[u]) & 255]++] = keys[i];
        uint64_t *sorted = spare;
        spare = keys;
        keys = sorted;
    }
    return keys;
}

/* ---------------------------------------------------------------- signed ranks */

/* A key is twice the size of a difference on the decimal grid (_ranking.py), plus one if the first model is better. */

#define ROUND 0x1.8p52 /* added to a number below 2^51, it leaves the nearest whole number in the last bits */
#define COARSE 1e4     /* COARSE_KEY of _ranking.py */

INLINE uint64_t bits_of(double value) {
    uint64_t bits;
    memcpy(&bits, &value, 8);
    return bits;
}

INLINE void whole_keys_body(const int32_t *a, const int32_t *b, int64_t n, uint64_t *keys) {
    for (int64_t i = 0; i < n; i++) {
        int32_t d = a[i] - b[i];
        keys[i] = 2 * (uint32_t)(d < 0 ? -d : d) + (uint32_t)(d > 0);
    }
}

/* Return how many nonzero differences the common grid is too coarse for. */
INLINE int64_t common_keys_body(const double *a, const double *b, double factor, int64_t n, uint64_t *keys) {
    int64_t coarse = 0;
    const double base = ROUND;
    for (int64_t i = 0; i < n; i++) {
        double d = a[i] - b[i], shifted = d * factor + base, key = shifted - base;
        double size = key < 0 ? -key : key;
        coarse += (size < COARSE) & (d != 0);
        keys[i] = 2 * (bits_of(size + base) - bits_of(base)) + (uint64_t)(key > 0);
    }
    return coarse;
}

/* The same where scales differ: the coarse ones are rounded on the grid of their own scores. */
static void refined_keys(const double *a, const double *b, const double *own_a, const double *own_b, double factor,
                         int64_t n, uint64_t *keys) {
    const double base = ROUND;
    for (int64_t i = 0; i < n; i++) {
        double d = a[i] - b[i], key = d * factor + base;
        key -= base;
        if (key < COARSE && key > -COARSE && d != 0) {
            double size_a = a[i] < 0 ? -a[i] : a[i], size_b = b[i] < 0 ? -b[i] : b[i];
            double own = size_a >= size_b ? own_a[i] : own_b[i];
            key = d * own + base;
            key = (key - base) / own * factor;
        }
        keys[i] = key == 0 ? 0 : 2 * bits_of(key < 0 ? -key : key) + (uint64_t)(key > 0);
    }
}

EACH(whole_keys, (const int32_t *a, const int32_t *b, int64_t n, uint64_t *keys), (a, b, n, keys))
BUILT(int64_t, common_keys, (const double *a, const double *b, double factor, int64_t n, uint64_t *keys),
      (a, b, factor, n, keys))

typedef struct {
    job_t job;
    int64_t n, k;
    const int32_t *whole;                     /* [k, n] scores as whole numbers, or NULL */
    const double *scores, *own, *size, *factor; /* [k, n] scores and their own grids; [k] largest score, its grid */
    double *positive, *n_positive, *n_zero, *cubes; /* [pairs] */
} pairs_job_t;

/* Sums over the ranks of one pair, from the sorted keys of its nonzero differences. Position j of a tie of t adds
 * 3j(j + 1) to t^3 - t; a positive one stands after the negative ones of its tie, each of which overstates its rank by
 * one half. */
static void rank_pair(const pairs_job_t *p, const uint64_t *keys, int64_t zeros, int64_t pair) {
    uint64_t positions = 0, unlike = 0, cubes = 0, positives = 0, before = 0;
    uint64_t in_tie = 0, negatives = 0;
    for (int64_t i = zeros; i < p->n; i++) {
        const uint64_t key = keys[i - zeros], sign = key & 1, size = key >> 1;
        const uint64_t same = (uint64_t)0 - (uint64_t)(size == before);
        in_tie = (in_tie + 1) & same;
        negatives &= same;
        positives += sign;
        positions += (uint64_t)(i + 1) & (0 - sign);
        unlike += negatives & (0 - sign);
        negatives += 1 - sign;
        cubes += 3 * in_tie * (in_tie + 1);
        before = size;
    }
    p->positive[pair] = (double)positions - (double)unlike / 2;
    p->n_positive[pair] = (double)positives;
    p->n_zero[pair] = (double)zeros;
    p->cubes[pair] = (double)cubes;
}

/* All pairs (first, j > first), which stand together in the answer. */
static void work_pairs(job_t *job, int64_t first, uint8_t *scratch) {
    const pairs_job_t *p = (const pairs_job_t *)job;
    const int64_t n = p->n, k = p->k;
    uint64_t *keys = (uint64_t *)scratch, *spare = keys + n;
    int64_t pair = first * k - first * (first + 1) / 2;
    for (int64_t j = first + 1; j < k; j++, pair++) {
        if (p->whole) whole_keys(p->whole + first * n, p->whole + j * n, n, keys);
        else {
            const double *a = p->scores + first * n, *b = p->scores + j * n;
            double factor = p->factor[p->size[first] >= p->size[j] ? first : j];
            if (common_keys(a, b, factor, n, keys))
                refined_keys(a, b, p->own + first * n, p->own + j * n, factor, n, keys);
        }
        int64_t some = 0;
        for (int64_t i = 0; i < n; i++) {
            keys[some] = keys[i];
            some += keys[i] != 0;
        }
        rank_pair(p, sort_keys(keys, spare, some), n - some, pair);
    }
}

/* ---------------------------------------------------------------- Walsh averages */

/* The sums v[i] + v[j], i <= j, of sorted values: rows and columns of them ascend, so that one walk along the staircase
 * between those up to x and those above it counts them, and meets the last one below and the first one above. */
enum { PROBES = 4 };
typedef struct { double at; int64_t count; double below, above; } probe_t;

static void walk(const double *v, int64_t n, probe_t probe[PROBES]) {
    int64_t i[PROBES] = {0}, j[PROBES], count[PROBES] = {0};
    double below[PROBES], above[PROBES];
    for (int p = 0; p < PROBES; p++) {
        j[p] = n - 1;
        below[p] = -INFINITY;
        above[p] = INFINITY;
    }
    for (int64_t step = 0; step < n; step++) /* each step takes one row or one column away */
        for (int p = 0; p < PROBES; p++) {
            double sum = v[i[p]] + v[j[p]], at = probe[p].at;
            int64_t over = sum > at;
            double low = over ? -INFINITY : sum, high = over ? sum : INFINITY;
            below[p] = low > below[p] ? low : below[p];
            above[p] = high < above[p] ? high : above[p];
            count[p] += (j[p] - i[p] + 1) & (over - 1);
            i[p] += 1 - over;
            j[p] -= over;
        }
    for (int p = 0; p < PROBES; p++) {
        probe[p].count = count[p];
        probe[p].below = below[p];
        probe[p].above = above[p];
    }
}

/* The sums that may be the one looked for: from `first` to `last`, `under` sums below them, `upto` with them. */
typedef struct { double first, last; int64_t under, upto; } bracket_t;

static void narrow(const double *v, int64_t n, int64_t position, const double at[PROBES], bracket_t *b) {
    probe_t probe[PROBES];
    for (int p = 0; p < PROBES; p++) probe[p].at = at[p];
    walk(v, n, probe);
    for (int p = 0; p < PROBES; p++)
        if (probe[p].count > position) {
            if (probe[p].below < b->last) *b = (bracket_t){b->first, probe[p].below, b->under, probe[p].count};
        } else if (probe[p].above > b->first)
            *b = (bracket_t){probe[p].above, b->last, probe[p].count, b->upto};
}

/* A value in [first, last), half of the floats between them below it: the search ends whatever the values. */
static double middle_float(double first, double last) {
    const uint64_t sign = UINT64_C(1) << 63;
    uint64_t low = bits_of(first), high = bits_of(last);
    low = low & sign ? ~low : low | sign;
    high = high & sign ? ~high : high | sign;
    uint64_t middle = low + (high - low) / 2;
    middle = middle & sign ? middle ^ sign : ~middle;
    memcpy(&first, &middle, 8);
    return first;
}

/* Where to look next: around the place that the counts point to, and in the middle. */
static void next_probes(const bracket_t *b, int64_t position, double at[PROBES]) {
    static const double share[PROBES - 1] = {-1.0 / 16, 1.0 / 16, 0};
    double count = (double)(b->upto - b->under), wanted = ((double)(position - b->under) + 0.5) / count;
    for (int p = 0; p < PROBES - 1; p++) {
        double part = p == 2 ? (wanted < 0.5 ? wanted + 0.25 : wanted - 0.25) : wanted + share[p];
        double x = b->first + (b->last - b->first) * part;
        at[p] = x >= b->first && x < b->last ? x : b->first;
    }
    at[PROBES - 1] = middle_float(b->first, b->last);
}

/* A first look: sums of two spread √2 as wide as the values, around twice their middle. */
static void first_probes(const double *v, int64_t n, int64_t position, double at[PROBES]) {
    static const double aside[PROBES] = {-0.06, -0.015, 0.015, 0.06};
    double total = (double)n * (double)(n + 1) / 2, middle = v[n / 2];
    for (int p = 0; p < PROBES; p++) {
        double rank = (((double)position + 0.5) / total + aside[p]) * (double)n;
        int64_t place = rank < 0 ? 0 : rank > (double)(n - 1) ? n - 1 : (int64_t)rank;
        at[p] = 2 * middle + 1.4142135623730951 * (v[place] - middle);
    }
}

/* List the sums of the bracket; return how many. */
static int64_t list_sums(const double *v, int64_t n, const bracket_t *b, double *sums) {
    int64_t found = 0, start = n, stop = n; /* of row i: columns start ... stop - 1 */
    for (int64_t i = 0; i < n; i++) {
        while (start > i && v[i] + v[start - 1] >= b->first) start--;
        while (stop > i && v[i] + v[stop - 1] > b->last) stop--;
        if (stop <= i) break;
        for (int64_t j = start > i ? start : i; j < stop; j++) sums[found++] = v[i] + v[j];
    }
    return found;
}

static double quick_select(double *values, int64_t n, int64_t position) {
    int64_t low = 0, high = n - 1;
    while (low < high) {
        double pivot = values[low + (high - low) / 2];
        int64_t i = low, j = high;
        while (i <= j) {
            while (values[i] < pivot) i++;
            while (values[j] > pivot) j--;
            if (i > j) break;
            double value = values[i];
            values[i++] = values[j];
            values[j--] = value;
        }
        if (position <= j) high = j;
        else if (position >= i) low = i;
        else break;
    }
    return values[position];
}

typedef struct {
    job_t job;
    int64_t n, n_positions;
    const double *values;     /* [rows, n] */
    const int64_t *positions; /* [n_positions] */
    double *answer;           /* [rows, n_positions] */
} walsh_job_t;

/* Sort as whole numbers in the order of the floats. */
static void sort_values(const double *values, int64_t n, uint64_t *keys, uint64_t *spare, double *sorted) {
    const uint64_t sign = UINT64_C(1) << 63;
    for (int64_t i = 0; i < n; i++) {
        uint64_t bits = bits_of(values[i]);
        keys[i] = bits & sign ? ~bits : bits | sign;
    }
    keys = sort_keys(keys, spare, n);
    for (int64_t i = 0; i < n; i++) {
        uint64_t bits = keys[i] & sign ? keys[i] ^ sign : ~keys[i];
        memcpy(sorted + i, &bits, 8);
    }
}

/* Scratch: n sorted values, then room for the keys of the sort (2n) or the sums of a bracket (2n). */
static void work_walsh(job_t *job, int64_t row, uint8_t *scratch) {
    const walsh_job_t *w = (const walsh_job_t *)job;
    const int64_t n = w->n, few = 2 * n;
    double *v = (double *)scratch, *sums = v + n, at[PROBES];
    uint64_t *keys = (uint64_t *)(v + n);
    sort_values(w->values + row * n, n, keys, keys + n, v);
    bracket_t b = {0, 0, 0, 0};
    int64_t listed = 0;
    for (int64_t p = 0; p < w->n_positions; p++) {
        int64_t position = w->positions[p];
        if (position < b.under || position >= b.under + listed) { /* else the last bracket has it */
            b = (bracket_t){2 * v[0], 2 * v[n - 1], 0, n * (n + 1) / 2};
            first_probes(v, n, position, at);
            for (int round = 0; b.upto - b.under > few && b.first < b.last; round++) {
                if (round) next_probes(&b, position, at);
                narrow(v, n, position, at, &b);
            }
            listed = b.first < b.last ? list_sums(v, n, &b, sums) : 0;
        }
        double sum = listed ? quick_select(sums, listed, position - b.under) : b.first;
        w->answer[row * w->n_positions + p] = sum / 2;
    }
}

/* ---------------------------------------------------------------- sign patterns */

/* patterns[rank ... reach] += patterns[0 ... reach - rank], from the top, in pieces that do not overlap. */
INLINE void add_rank_body(double *patterns, int64_t rank, int64_t reach) {
    for (int64_t stop = reach + 1; stop > rank; stop -= rank) {
        int64_t start = stop - rank > rank ? stop - rank : rank;
        double *restrict to = patterns + start;
        const double *restrict from = patterns + start - rank;
        for (int64_t s = 0; s < stop - start; s++) to[s] += from[s];
    }
}
EACH(add_rank, (double *patterns, int64_t rank, int64_t reach), (patterns, rank, reach))

/* ---------------------------------------------------------------- Python */

static void choose_ranks(int level) {
#if HAVE_AVX2_CLONE
    CHOOSE(whole_keys);
    CHOOSE(common_keys);
    CHOOSE(add_rank);
#else
    (void)level;
#endif
}

static PyObject *py_pair_sums(PyObject *self, PyObject *args) {
    long long n, k;
    int threads, whole;
    PyObject *scores, *own, *size, *factor, *positive, *n_positive, *n_zero, *cubes;
    buffers_t all = {.used = 0};
    (void)self;
    if (!PyArg_ParseTuple(args, "iLLpOOOOOOOO", &threads, &n, &k, &whole, &scores, &own, &size, &factor, &positive,
                          &n_positive, &n_zero, &cubes))
        return NULL;
    pairs_job_t p = {.job = {.count = k - 1, .work = work_pairs}, .n = n, .k = k};
    const int64_t bytes = k * (k - 1) / 2 * 8;
    int done = whole ? (p.whole = open_buffer(&all, scores, 0, k * n * 4)) != NULL
                     : (p.scores = open_buffer(&all, scores, 0, k * n * 8)) &&
                           (p.own = open_buffer(&all, own, 0, k * n * 8)) &&
                           (p.size = open_buffer(&all, size, 0, k * 8)) &&
                           (p.factor = open_buffer(&all, factor, 0, k * 8));
    done = done && (p.positive = open_buffer(&all, positive, 1, bytes)) &&
           (p.n_positive = open_buffer(&all, n_positive, 1, bytes)) &&
           (p.n_zero = open_buffer(&all, n_zero, 1, bytes)) && (p.cubes = open_buffer(&all, cubes, 1, bytes)) &&
           run_with_memory(&p.job, threads, 2 * n * 8);
    return close_buffers(&all, done);
}

static PyObject *py_walsh_rows(PyObject *self, PyObject *args) {
    long long rows, n;
    int threads;
    PyObject *values, *positions, *answer;
    buffers_t all = {.used = 0};
    (void)self;
    if (!PyArg_ParseTuple(args, "iLLOOO", &threads, &rows, &n, &values, &positions, &answer)) return NULL;
    walsh_job_t w = {.job = {.count = rows, .work = work_walsh}, .n = n};
    int done = (w.values = open_buffer(&all, values, 0, rows * n * 8)) &&
               (w.positions = open_buffer(&all, positions, 0, -1));
    if (done) {
        w.n_positions = all.view[all.used - 1].len / 8;
        for (int64_t p = 0; p < w.n_positions; p++)
            if (w.positions[p] < 0 || w.positions[p] >= n * (n + 1) / 2) {
                PyErr_SetString(PyExc_ValueError, "no Walsh average stands at this position");
                return close_buffers(&all, 0);
            }
        done = (w.answer = open_buffer(&all, answer, 1, rows * w.n_positions * 8)) &&
               run_with_memory(&w.job, threads, 3 * n * 8);
    }
    return close_buffers(&all, done);
}

static PyObject *py_add_ranks(PyObject *self, PyObject *args) {
    PyObject *ranks, *patterns;
    long long every, reach = 0;
    buffers_t all = {.used = 0};
    const int64_t *rank;
    double *pattern;
    (void)self;
    if (!PyArg_ParseTuple(args, "OLO", &ranks, &every, &patterns)) return NULL;
    if (!(rank = open_buffer(&all, ranks, 0, -1)) || !(pattern = open_buffer(&all, patterns, 1, -1)))
        return close_buffers(&all, 0);
    const int64_t n = all.view[0].len / 8, target = all.view[1].len / 8 - 1;
    int64_t pending = 0;
    double scale = 1;
    for (int64_t i = 0; i < n; i++)
        if (rank[i] < 1) {
            PyErr_SetString(PyExc_ValueError, "ranks are whole numbers from 1 on");
            return close_buffers(&all, 0);
        }
    for (int64_t i = 0; i < every; i++) scale /= 2;
    Py_BEGIN_ALLOW_THREADS
    for (int64_t i = 0; i < n; i++) {
        reach = rank[i] > target - reach ? target : reach + rank[i];
        add_rank(pattern, rank[i], reach);
        if (++pending == every) {
            for (int64_t s = 0; s <= target; s++) pattern[s] *= scale;
            pending = 0;
        }
    }
    Py_END_ALLOW_THREADS
    return close_buffers(&all, 1);
}
