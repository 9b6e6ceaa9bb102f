SETTING = "setting"
