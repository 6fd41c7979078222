#ifndef XSP_CORE_DISTRIBUTIONS_H_
#define XSP_CORE_DISTRIBUTIONS_H_

#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>

namespace xsp::core {

// Distributions of Boost.Math that compute in double. By default it computes in long double, for
// digits that no p value and no interval shows.

using InDouble = boost::math::policies::policy<boost::math::policies::promote_double<false>>;
using StudentsT = boost::math::students_t_distribution<double, InDouble>;
using Normal = boost::math::normal_distribution<double, InDouble>;

}  // namespace xsp::core

#endif  // XSP_CORE_DISTRIBUTIONS_H_
