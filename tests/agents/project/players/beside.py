BESIDE = "beside"
