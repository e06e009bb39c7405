// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels of Polybench/GPU by their public definitions, once each, for Nsight Compute to count in:
//
//     nvcc -O3 -arch=native -o counters counters.cu
//     ncu --clock-control none --csv --metrics gpu__time_duration.sum,... ./counters
//
// with the metrics that README.md names for h100-counters.csv.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#define CHECK(c) do { cudaError_t s_ = (c); if (s_) { fprintf(stderr, "%s: %s\n", #c, cudaGetErrorString(s_)); exit(1); } } while (0)
__global__ void fill(float *p, size_t n) { for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) p[i] = 1.0f / (1 + i % 97); }
__global__ void gemm(float *a, float *b, float *c, int ni, int nj, int nk)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < ni && j < nj) {
        c[i * nj + j] *= 0.5f;
        for (int k = 0; k < nk; k++)
            c[i * nj + j] += 1.5f * a[i * nk + k] * b[k * nj + j];
    }
}
__global__ void atax1(float *A, float *x, float *tmp, int nx, int ny)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < nx)
        for (int j = 0; j < ny; j++)
            tmp[i] += A[(size_t)i * ny + j] * x[j];
}
__global__ void atax2(float *A, float *y, float *tmp, int nx, int ny)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j < ny)
        for (int i = 0; i < nx; i++)
            y[j] += A[(size_t)i * ny + j] * tmp[i];
}
__global__ void conv2d(float *A, float *B, int ni, int nj)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i > 0 && i < ni - 1 && j > 0 && j < nj - 1)
        B[i * nj + j] = 0.2f * A[(i - 1) * nj + j - 1] - 0.3f * A[(i - 1) * nj + j] + 0.4f * A[(i - 1) * nj + j + 1] +
                        0.5f * A[i * nj + j - 1] + 0.6f * A[i * nj + j] + 0.7f * A[i * nj + j + 1] -
                        0.8f * A[(i + 1) * nj + j - 1] - 0.9f * A[(i + 1) * nj + j] + 0.1f * A[(i + 1) * nj + j + 1];
}
__global__ void gesummv(float *A, float *B, float *x, float *y, float *tmp, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        for (int j = 0; j < n; j++) {
            tmp[i] += A[(size_t)i * n + j] * x[j];
            y[i] += B[(size_t)i * n + j] * x[j];
        }
        y[i] = 1.5f * tmp[i] + 0.5f * y[i];
    }
}
__global__ void syrk(float *A, float *C, int ni, int nj)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < ni && j < ni) {
        C[i * ni + j] *= 0.5f;
        for (int k = 0; k < nj; k++)
            C[i * ni + j] += 1.5f * A[i * nj + k] * A[j * nj + k];
    }
}
int main()
{
    float *p;
    size_t n = 256ull << 20;
    CHECK(cudaMalloc(&p, n * 4));
    fill<<<1024, 256>>>(p, n);
    CHECK(cudaDeviceSynchronize());
    float *q = p + (96u << 20), *r = p + (192u << 20), *s = r + (1u << 20), *t = s + (1u << 20);
    gemm<<<dim3(256 / 32, 2048 / 8), dim3(32, 8)>>>(p, q, r, 2048, 256, 2048);
    atax1<<<32, 256>>>(p, s, t, 8192, 10240);
    atax2<<<40, 256>>>(p, s, t, 8192, 10240);
    conv2d<<<dim3(128, 512), dim3(32, 8)>>>(p, q, 4096, 4096);
    gesummv<<<23, 256>>>(p, q, r, s, t, 5792);
    syrk<<<dim3(640 / 32, 640 / 8), dim3(32, 8)>>>(p, r, 640, 640);
    CHECK(cudaDeviceSynchronize());
    return 0;
}
