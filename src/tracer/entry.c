/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions that code compiled with -fsanitize=thread calls: those of gcc
 * (gcc/sanitizer.def) and clang (ThreadSanitizer.cpp). The tracer takes the place of
 * the sanitizer's run-time library, so that user code needs no change: both compilers
 * put a call at every load and store. Atomic operations are
 * performed here, always sequentially consistent, which every weaker order
 * allows. 16-byte atomics need compare-and-swap of that size. */
#include <string.h>

#include "recorder.h"
#include "trace/stream.h"

#define PLACE __builtin_return_address(0)

/* --- plain accesses --------------------------------------------------------- */

#define ACCESS(name, bytes, kind)                                                                  \
    void name(void *address);                                                                      \
    void name(void *address)                                                                       \
    {                                                                                              \
        recorder_access(address, bytes, kind, 0, PLACE);                                           \
    }

#define READ_WRITE(name, bytes)                                                                    \
    void name(void *address);                                                                      \
    void name(void *address)                                                                       \
    {                                                                                              \
        recorder_access(address, bytes, ACCESS_READ, 0, PLACE);                                    \
        recorder_access(address, bytes, ACCESS_WRITE, 0, PLACE);                                   \
    }

#define ACCESSES(bytes)                                                                            \
    ACCESS(__tsan_read##bytes, bytes, ACCESS_READ)                                                 \
    ACCESS(__tsan_write##bytes, bytes, ACCESS_WRITE)                                               \
    ACCESS(__tsan_unaligned_read##bytes, bytes, ACCESS_READ)                                       \
    ACCESS(__tsan_unaligned_write##bytes, bytes, ACCESS_WRITE)                                     \
    ACCESS(__tsan_volatile_read##bytes, bytes, ACCESS_READ)                                        \
    ACCESS(__tsan_volatile_write##bytes, bytes, ACCESS_WRITE)                                      \
    ACCESS(__tsan_unaligned_volatile_read##bytes, bytes, ACCESS_READ)                              \
    ACCESS(__tsan_unaligned_volatile_write##bytes, bytes, ACCESS_WRITE)                            \
    READ_WRITE(__tsan_read_write##bytes, bytes)                                                    \
    READ_WRITE(__tsan_unaligned_read_write##bytes, bytes)

ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)

void __tsan_read_range(void *address, size_t bytes);
void __tsan_read_range(void *address, size_t bytes)
{
    recorder_range(address, bytes, ACCESS_READ, PLACE);
}

void __tsan_write_range(void *address, size_t bytes);
void __tsan_write_range(void *address, size_t bytes)
{
    recorder_range(address, bytes, ACCESS_WRITE, PLACE);
}

/* C++: the pointer to the table of virtual functions. */
ACCESS(__tsan_vptr_read, sizeof(void *), ACCESS_READ)

void __tsan_vptr_update(void *address, void *value);
void __tsan_vptr_update(void *address, void *value)
{
    (void)value;
    recorder_access(address, sizeof(void *), ACCESS_WRITE, 0, PLACE);
}

/* Called by clang; recorded because memcpy & co. are wrapped (blocks.c). */
void *__tsan_memcpy(void *to, const void *from, size_t bytes);
void *__tsan_memcpy(void *to, const void *from, size_t bytes)
{
    return memcpy(to, from, bytes);
}

void *__tsan_memmove(void *to, const void *from, size_t bytes);
void *__tsan_memmove(void *to, const void *from, size_t bytes)
{
    return memmove(to, from, bytes);
}

void *__tsan_memset(void *to, int value, size_t bytes);
void *__tsan_memset(void *to, int value, size_t bytes)
{
    return memset(to, value, bytes);
}

/* --- nothing to record ------------------------------------------------------ */

#define NOTHING(name, ...)                                                                         \
    void name(__VA_ARGS__);                                                                        \
    void name(__VA_ARGS__)                                                                         \
    {                                                                                              \
    }

NOTHING(__tsan_init, void)
NOTHING(__tsan_func_exit, void)
NOTHING(__tsan_ignore_thread_begin, void)
NOTHING(__tsan_ignore_thread_end, void)

void __tsan_func_entry(void *caller);
void __tsan_func_entry(void *caller)
{
    (void)caller;
}

/* --- atomics ---------------------------------------------------------------- */

typedef uint8_t atomic_8;
typedef uint16_t atomic_16;
typedef uint32_t atomic_32;
typedef uint64_t atomic_64;

#define ATOMIC_MODIFY(bits, name, builtin)                                                         \
    atomic_##bits __tsan_atomic##bits##_##name(volatile atomic_##bits *address,                    \
                                               atomic_##bits value, int order);                    \
    atomic_##bits __tsan_atomic##bits##_##name(volatile atomic_##bits *address,                    \
                                               atomic_##bits value, int order)                     \
    {                                                                                              \
        (void)order;                                                                               \
        recorder_access((const void *)address, bits / 8, ACCESS_ATOMIC, 0, PLACE);                 \
        return builtin(bits, address, value);                                                      \
    }

#define ATOMIC_COMPARE(bits, name)                                                                 \
    int __tsan_atomic##bits##_##name(volatile atomic_##bits *address, atomic_##bits *expected,     \
                                     atomic_##bits value, int order, int otherwise);               \
    int __tsan_atomic##bits##_##name(volatile atomic_##bits *address, atomic_##bits *expected,     \
                                     atomic_##bits value, int order, int otherwise)                \
    {                                                                                              \
        atomic_##bits wanted = *expected;                                                          \
        (void)order, (void)otherwise;                                                              \
        recorder_access((const void *)address, bits / 8, ACCESS_ATOMIC, 0, PLACE);                 \
        atomic_##bits found = __sync_val_compare_and_swap(address, wanted, value);                 \
        if (found == wanted)                                                                       \
            return 1;                                                                              \
        *expected = found;                                                                         \
        return 0;                                                                                  \
    }

#define ATOMICS(bits)                                                                              \
    atomic_##bits __tsan_atomic##bits##_load(const volatile atomic_##bits *address, int order);    \
    atomic_##bits __tsan_atomic##bits##_load(const volatile atomic_##bits *address, int order)     \
    {                                                                                              \
        (void)order;                                                                               \
        recorder_access((const void *)address, bits / 8, ACCESS_READ, ACCESS_BYPASS_L1, PLACE);    \
        return LOAD(bits, address);                                                                \
    }                                                                                              \
    void __tsan_atomic##bits##_store(volatile atomic_##bits *address, atomic_##bits value,         \
                                     int order);                                                   \
    void __tsan_atomic##bits##_store(volatile atomic_##bits *address, atomic_##bits value,         \
                                     int order)                                                    \
    {                                                                                              \
        (void)order;                                                                               \
        recorder_access((const void *)address, bits / 8, ACCESS_WRITE, ACCESS_BYPASS_L1, PLACE);   \
        EXCHANGE(bits, address, value);                                                            \
    }                                                                                              \
    ATOMIC_MODIFY(bits, exchange, EXCHANGE)                                                        \
    ATOMIC_MODIFY(bits, fetch_add, ADD)                                                            \
    ATOMIC_MODIFY(bits, fetch_sub, SUB)                                                            \
    ATOMIC_MODIFY(bits, fetch_and, AND)                                                            \
    ATOMIC_MODIFY(bits, fetch_or, OR)                                                              \
    ATOMIC_MODIFY(bits, fetch_xor, XOR)                                                            \
    ATOMIC_MODIFY(bits, fetch_nand, NAND)                                                          \
    ATOMIC_COMPARE(bits, compare_exchange_strong)                                                  \
    ATOMIC_COMPARE(bits, compare_exchange_weak)                                                    \
    atomic_##bits __tsan_atomic##bits##_compare_exchange_val(                                      \
        volatile atomic_##bits *address, atomic_##bits wanted, atomic_##bits value, int order,     \
        int otherwise);                                                                            \
    atomic_##bits __tsan_atomic##bits##_compare_exchange_val(                                      \
        volatile atomic_##bits *address, atomic_##bits wanted, atomic_##bits value, int order,     \
        int otherwise)                                                                             \
    {                                                                                              \
        (void)order, (void)otherwise;                                                              \
        recorder_access((const void *)address, bits / 8, ACCESS_ATOMIC, 0, PLACE);                 \
        return __sync_val_compare_and_swap(address, wanted, value);                                \
    }

#define LOAD(bits, address) __atomic_load_n(address, __ATOMIC_SEQ_CST)
#define EXCHANGE(bits, address, value) __atomic_exchange_n(address, value, __ATOMIC_SEQ_CST)
#define ADD(bits, address, value) __atomic_fetch_add(address, value, __ATOMIC_SEQ_CST)
#define SUB(bits, address, value) __atomic_fetch_sub(address, value, __ATOMIC_SEQ_CST)
#define AND(bits, address, value) __atomic_fetch_and(address, value, __ATOMIC_SEQ_CST)
#define OR(bits, address, value) __atomic_fetch_or(address, value, __ATOMIC_SEQ_CST)
#define XOR(bits, address, value) __atomic_fetch_xor(address, value, __ATOMIC_SEQ_CST)
#define NAND(bits, address, value) __atomic_fetch_nand(address, value, __ATOMIC_SEQ_CST)

ATOMICS(8)
ATOMICS(16)
ATOMICS(32)
ATOMICS(64)

#ifdef __GCC_HAVE_SYNC_COMPARE_AND_SWAP_16

/* The __atomic functions of 16 bytes would need libatomic. */
__extension__ typedef unsigned __int128 atomic_128;

#define MODIFY(address, expression)                                                                \
    __extension__({                                                                                \
        atomic_128 old = *(address), found;                                                        \
        while ((found = __sync_val_compare_and_swap(address, old, expression)) != old)             \
            old = found;                                                                           \
        old;                                                                                       \
    })

#undef LOAD
#undef EXCHANGE
#undef ADD
#undef SUB
#undef AND
#undef OR
#undef XOR
#undef NAND
#define LOAD(bits, address) __sync_val_compare_and_swap((volatile atomic_128 *)address, 0, 0)
#define EXCHANGE(bits, address, value) MODIFY(address, value)
#define ADD(bits, address, value) MODIFY(address, old + value)
#define SUB(bits, address, value) MODIFY(address, old - value)
#define AND(bits, address, value) MODIFY(address, old &value)
#define OR(bits, address, value) MODIFY(address, old | value)
#define XOR(bits, address, value) MODIFY(address, old ^ value)
#define NAND(bits, address, value) MODIFY(address, ~(old & value))

ATOMICS(128)

#endif

void __tsan_atomic_thread_fence(int order);
void __tsan_atomic_thread_fence(int order)
{
    (void)order;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

void __tsan_atomic_signal_fence(int order);
void __tsan_atomic_signal_fence(int order)
{
    (void)order;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}
