/* A program that uses NVTX as its users do, for nvtx_test.cc: it knows nothing of XSP.
 * Usage: nvtx_program CASE */

#include <nvtx3/nvToolsExt.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static nvtxEventAttributes_t event(void) {
  nvtxEventAttributes_t made = {0};
  made.version = NVTX_VERSION;
  made.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  return made;
}

static void nested(void) {
  char buffer[16] = "first";
  printf("%d", nvtxRangePushA("outer"));
  printf(" %d", nvtxRangePushA(buffer));
  printf(" %d", nvtxRangePop());
  strcpy(buffer, "second"); /* The same pointer, another text. */
  nvtxRangePushA(buffer);
  nvtxRangePop();
  nvtxRangePushW(L"wei\u00df\U0001f600");
  nvtxRangePop();
  nvtxMarkA("a mark");
  printf(" %d\n", nvtxRangePop());
}

static void details(void) {
  const nvtxDomainHandle_t domain = nvtxDomainCreateA("my.domain");
  nvtxEventAttributes_t e = event();
  nvtxDomainNameCategoryA(domain, 7, "input");
  e.category = 7;
  e.colorType = NVTX_COLOR_ARGB;
  e.color = 0xff00aa11;
  e.payloadType = NVTX_PAYLOAD_TYPE_INT32;
  e.payload.iValue = -5;
  e.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
  e.message.registered = nvtxDomainRegisterStringA(domain, "load");
  nvtxDomainRangePushEx(domain, &e);
  e.category = 8;
  e.colorType = NVTX_COLOR_UNKNOWN;
  e.payloadType = NVTX_PAYLOAD_TYPE_UNSIGNED_INT64;
  e.payload.ullValue = UINT64_MAX;
  e.messageType = NVTX_MESSAGE_TYPE_UNICODE;
  e.message.unicode = L"wide";
  nvtxDomainRangePushEx(domain, &e);
  nvtxDomainRangePop(domain);
  nvtxDomainRangePop(domain);
  nvtxDomainDestroy(domain);
}

static void domains(void) {
  const nvtxDomainHandle_t library = nvtxDomainCreateA("cuDNN");
  const nvtxDomainHandle_t same = nvtxDomainCreateA("cuDNN");
  nvtxEventAttributes_t e = event();
  e.messageType = NVTX_MESSAGE_TYPE_ASCII;
  e.message.ascii = "cudnnConvolutionForward";
  nvtxRangePushA("step");
  nvtxDomainRangePushEx(library, &e);
  nvtxRangePop(); /* "step", which ends before what began inside it in another domain. */
  nvtxDomainRangePop(same);
}

static void* end_range(void* id) {
  nvtxNameOsThreadA((uint32_t)syscall(SYS_gettid), "the ender");
  nvtxRangeEnd(*(nvtxRangeId_t*)id);
  return NULL;
}

static void loose(void) {
  pthread_t thread;
  nvtxRangeId_t first = nvtxRangeStartA("request 1");
  const nvtxRangeId_t second = nvtxRangeStartA("request 2");
  pthread_create(&thread, NULL, end_range, &first);
  pthread_join(thread, NULL);
  nvtxRangeEnd(second);
}

static void faults(void) {
  int i;
  printf("%d\n", nvtxRangePop());
  nvtxRangeEnd(12345);
  nvtxRangeEnd(0);
  nvtxRangeStartA("never ended");
  nvtxRangePushA(NULL);
  nvtxRangePushEx(NULL);
  nvtxRangePop();
  nvtxRangePop();
  for (i = 0; i < 5000; ++i) nvtxRangeStartA("too many");
  for (i = 0; i < 100; ++i) nvtxRangePushA("deep");
  for (i = 0; i < 100; ++i) nvtxRangePop();
}

static void* work(void* unused) {
  nvtxRangePushA("measured");
  nvtxRangePushA("inside");
  nvtxRangePop();
  nvtxRangePop();
  return unused;
}

static void asked(void) {
  pthread_t thread;
  nvtxRangeId_t range;
  nvtxRangePushA("before");
  nvtxRangePop();
  range = nvtxRangeStartA("measured");
  work(NULL);
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  nvtxRangePushA("between");
  nvtxRangePop();
  nvtxRangeEnd(range);
  nvtxRangePushA("after");
  nvtxRangePop();
}

static void forked(void) {
  nvtxRangePushA("parent");
  if (fork() == 0) {
    nvtxRangePushA("child");
    nvtxRangePop();
    _exit(0);
  }
  wait(NULL);
  nvtxRangePop();
}

static void* storm(void* unused) {
  int i;
  for (i = 0; i < 20000; ++i) {
    const nvtxRangeId_t id = nvtxRangeStartA("loose");
    nvtxRangePushA("pushed");
    nvtxRangePop();
    nvtxRangeEnd(id);
  }
  return unused;
}

static void threads(void) {
  pthread_t all[4];
  int i;
  for (i = 0; i < 4; ++i) pthread_create(&all[i], NULL, storm, NULL);
  for (i = 0; i < 4; ++i) pthread_join(all[i], NULL);
}

/* ns a push and pop, the least of 20 batches. */
static void cost(void) {
  double least = 1e9;
  int round, i;
  for (round = 0; round < 20; ++round) {
    struct timespec a, b;
    double ns;
    clock_gettime(CLOCK_MONOTONIC, &a);
    for (i = 0; i < 10000; ++i) {
      nvtxRangePushA("literal");
      nvtxRangePop();
    }
    clock_gettime(CLOCK_MONOTONIC, &b);
    ns = ((double)(b.tv_sec - a.tv_sec) * 1e9 + (double)(b.tv_nsec - a.tv_nsec)) / 10000;
    if (ns < least) least = ns;
  }
  printf("%.2f\n", least);
}

int main(int count, char** arguments) {
  const struct {
    const char* name;
    void (*run)(void);
  } cases[] = {{"nested", nested}, {"details", details}, {"domains", domains},
               {"loose", loose},   {"faults", faults},   {"asked", asked},
               {"forked", forked}, {"threads", threads}, {"cost", cost}};
  size_t i;
  for (i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    if (count == 2 && strcmp(arguments[1], cases[i].name) == 0) {
      cases[i].run();
      return 0;
    }
  }
  return 2;
}
